/** Threads that go on after an error of one round, and a check that event loops still turn. */
@NullMarked
package io.cascade.relay.thread;

import org.jspecify.annotations.NullMarked;
