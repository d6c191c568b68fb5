/** Records of the TCP connections that pass, in a bounded table. */
@NullMarked
package io.cascade.packets.connections;

import org.jspecify.annotations.NullMarked;
