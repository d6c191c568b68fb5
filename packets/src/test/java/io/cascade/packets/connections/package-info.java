@NullMarked
package io.cascade.packets.connections;

import org.jspecify.annotations.NullMarked;
