/** What two ends and the relay that joins them say to each other before a stream's bytes. */
@NullMarked
package io.cascade.carriage.rendezvous;

import org.jspecify.annotations.NullMarked;
