/** The messages that two ends and the relay that joins them exchange before a stream's bytes. */
@NullMarked
package io.cascade.carriage.rendezvous;

import org.jspecify.annotations.NullMarked;
