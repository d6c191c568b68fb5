/**
 * The tunnel: IP packets between gateways, as datagrams of coded sessions, transparent to hosts.
 */
@NullMarked
package io.cascade.gateway.tunnel;

import org.jspecify.annotations.NullMarked;
