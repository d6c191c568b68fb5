/** Pipes that lead to the far side: their properties, and which of them a connection may use. */
@NullMarked
package io.cascade.packets.pipes;

import org.jspecify.annotations.NullMarked;
