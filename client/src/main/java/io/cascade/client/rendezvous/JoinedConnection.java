package io.cascade.client.rendezvous;

import io.cascade.client.transfer.connection.TcpConnection;
import java.net.InetSocketAddress;

/**
 * A connection to the other end, through the relay.
 *
 * @param peer address of the other end as the relay sees it, at which it may be directly reachable
 */
public record JoinedConnection(TcpConnection connection, InetSocketAddress peer) {}
