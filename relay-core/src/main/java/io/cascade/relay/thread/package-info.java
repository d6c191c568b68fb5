/** Threads that outlive what goes wrong on them. */
@NullMarked
package io.cascade.relay.thread;

import org.jspecify.annotations.NullMarked;
