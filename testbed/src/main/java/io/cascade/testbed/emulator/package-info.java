/**
 * Links emulated packet by packet: what a link does to packets, and the thread that does it to
 * those of TUN devices.
 */
@NullMarked
package io.cascade.testbed.emulator;

import org.jspecify.annotations.NullMarked;
