/**
 * Links emulated packet by packet: a thread applies the behaviour of links to packets of TUN
 * devices.
 */
@NullMarked
package io.cascade.lab.emulator;

import org.jspecify.annotations.NullMarked;
