/** Joins two ends that both dial out, by a number that both know. */
@NullMarked
package io.cascade.relay.rendezvous;

import org.jspecify.annotations.NullMarked;
