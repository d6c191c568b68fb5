/**
 * Ways from a sender to its receiver: which ones exist, connections over each, and attempts to
 * re-establish them. {@code io.cascade.client.transfer} moves the bytes. This package needs no
 * command line: the library ({@code io.cascade.client.api}) uses it as verbs do.
 */
@NullMarked
package io.cascade.client.ways;

import org.jspecify.annotations.NullMarked;
