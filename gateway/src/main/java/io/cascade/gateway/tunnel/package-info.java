/**
 * The tunnel: IP packets between gateways, as datagrams of coded sessions, for hosts that know
 * nothing of it.
 */
@NullMarked
package io.cascade.gateway.tunnel;

import org.jspecify.annotations.NullMarked;
