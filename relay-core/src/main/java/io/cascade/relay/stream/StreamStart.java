package io.cascade.relay.stream;

import java.net.InetSocketAddress;
import java.util.UUID;

/**
 * What travels with a stream from relay to relay.
 *
 * @param id the same at every relay
 * @param client the client's address as the ingress saw it
 * @param ingress the address that the client connected to
 */
public record StreamStart(UUID id, InetSocketAddress client, InetSocketAddress ingress) {}
