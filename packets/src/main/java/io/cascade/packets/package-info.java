/**
 * Splitting and combining TCP connections below TCP, after Ayar, Rathke and Budzisz, TKN-12-001.
 */
@NullMarked
package io.cascade.packets;

import org.jspecify.annotations.NullMarked;
