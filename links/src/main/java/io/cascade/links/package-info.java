/**
 * Model of a link: delay, rate, a drop-tail queue, loss, jitter, reordering. Pure: it is told the
 * time, so that the same packets at the same times come out the same. The lab's emulator drives it
 * by the clock, simulations in virtual time.
 */
@NullMarked
package io.cascade.links;

import org.jspecify.annotations.NullMarked;
