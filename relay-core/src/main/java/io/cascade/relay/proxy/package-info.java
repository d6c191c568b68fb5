/** SOCKS5 and HTTP CONNECT: ports where applications name their destination. */
@NullMarked
package io.cascade.relay.proxy;

import org.jspecify.annotations.NullMarked;
