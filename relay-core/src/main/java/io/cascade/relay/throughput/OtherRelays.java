package io.cascade.relay.throughput;

import io.cascade.api.relay.Endpoint;
import io.cascade.command.names.NamedPeer;
import io.cascade.relay.destination.AddressRefused;
import io.cascade.relay.destination.AddressRule;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;

/**
 * Finds the relays to which tests are sent. A relay's address is its own claim, so it is checked
 * like that of a hop before anything is sent there.
 *
 * @param hops allowed addresses of hops
 */
record OtherRelays(AddressRule hops) {
  /** Time to find out which address of a relay answers, if its name has several. */
  private static final Duration CHOOSING = Duration.ofSeconds(1);

  /**
   * Resolves the relay's name and chooses one of its addresses. Blocks.
   *
   * @throws TestRefused if none of them is allowed for hops
   */
  InetSocketAddress find(Endpoint relay) throws TestRefused, UnknownHostException {
    try {
      return hops.allowed(NamedPeer.resolve(relay.host(), relay.port())).quickest(CHOOSING);
    } catch (AddressRefused e) {
      throw new TestRefused(TestRefused.Reason.FORBIDDEN, String.valueOf(e.getMessage()));
    }
  }
}
