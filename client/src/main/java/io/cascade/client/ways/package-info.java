/**
 * Ways from a sender to its receiver: which there are, connections over each, and attempts to make
 * them again. Moving the bytes is the business of {@code io.cascade.client.transfer}. No command
 * line is needed: the library ({@code io.cascade.client.api}) uses them as verbs do.
 */
@NullMarked
package io.cascade.client.ways;

import org.jspecify.annotations.NullMarked;
