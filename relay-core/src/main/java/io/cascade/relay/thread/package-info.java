/** Threads that continue after an error of one round, and a check for blocked event loops. */
@NullMarked
package io.cascade.relay.thread;

import org.jspecify.annotations.NullMarked;
