package io.cascade.relay.stream;

import java.net.InetSocketAddress;
import java.util.UUID;

/**
 * Identity of a stream, which is passed on from relay to relay.
 *
 * @param id the same at every relay
 * @param client the client's address as seen by the ingress
 * @param ingress the address that the client connected to
 * @param awaited whether the client is told when the destination is connected, and so waits for the
 *     last relay's status
 */
public record StreamStart(
    UUID id, InetSocketAddress client, InetSocketAddress ingress, boolean awaited) {

  /** Start of a stream whose client receives no answer. */
  public StreamStart(UUID id, InetSocketAddress client, InetSocketAddress ingress) {
    this(id, client, ingress, false);
  }
}
