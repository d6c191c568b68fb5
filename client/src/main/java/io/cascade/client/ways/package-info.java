/**
 * The ways of a transfer between its ends, without a command line: verbs and the library ({@link
 * io.cascade.client.api}) use them.
 */
@NullMarked
package io.cascade.client.ways;

import org.jspecify.annotations.NullMarked;
