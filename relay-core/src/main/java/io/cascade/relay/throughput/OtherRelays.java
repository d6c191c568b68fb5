package io.cascade.relay.throughput;

import io.cascade.api.relay.Endpoint;
import io.cascade.command.names.NamedPeer;
import io.cascade.relay.destination.AddressRefused;
import io.cascade.relay.destination.AddressRule;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;

/**
 * Finds the relays that tests go to. Where a relay is, it says itself: its address is judged as
 * that of a hop, before anything is sent there.
 *
 * @param hops where hops may lead
 */
record OtherRelays(AddressRule hops) {
  /** Time to find out which address of a relay answers, where its name has several. */
  private static final Duration CHOOSING = Duration.ofSeconds(1);

  /**
   * Resolves the relay's name and chooses one of its addresses. Blocks.
   *
   * @throws TestRefused where no hop may lead to any of them
   */
  InetSocketAddress find(Endpoint relay) throws TestRefused, UnknownHostException {
    try {
      return hops.allowed(NamedPeer.resolve(relay.host(), relay.port())).quickest(CHOOSING);
    } catch (AddressRefused e) {
      throw new TestRefused(TestRefused.Reason.FORBIDDEN, String.valueOf(e.getMessage()));
    }
  }
}
