@NullMarked
package io.cascade.packets.pipes;

import org.jspecify.annotations.NullMarked;
