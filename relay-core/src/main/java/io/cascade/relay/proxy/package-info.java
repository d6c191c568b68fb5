/** SOCKS5 and HTTP CONNECT: ports where applications say themselves where they want to go. */
@NullMarked
package io.cascade.relay.proxy;

import org.jspecify.annotations.NullMarked;
