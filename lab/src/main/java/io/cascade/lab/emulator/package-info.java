/**
 * Links emulated packet by packet: the thread that does to packets of TUN devices what links do.
 */
@NullMarked
package io.cascade.lab.emulator;

import org.jspecify.annotations.NullMarked;
