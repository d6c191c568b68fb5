/**
 * Model of a link: delay, rate, a drop-tail queue, loss, jitter, reordering. The time is passed in,
 * so that the same packets at the same times have the same result. The lab's emulator runs it by
 * the clock, simulations in virtual time.
 */
@NullMarked
package io.cascade.links;

import org.jspecify.annotations.NullMarked;
