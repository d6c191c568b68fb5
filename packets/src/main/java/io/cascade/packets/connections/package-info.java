/** Records of the TCP connections that pass here, in a bounded table. */
@NullMarked
package io.cascade.packets.connections;

import org.jspecify.annotations.NullMarked;
