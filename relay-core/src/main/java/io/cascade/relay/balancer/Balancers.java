package io.cascade.relay.balancer;

import io.cascade.api.AddressBlock;
import java.net.InetAddress;
import java.util.List;

/**
 * Load balancers that send the client's address by the PROXY protocol. Headers of other senders are
 * not read, since they could name any address.
 *
 * @param sources addresses from which the balancers connect
 */
public record Balancers(List<AddressBlock> sources) {
  /** No balancers. */
  public static final Balancers NONE = new Balancers(List.of());

  public Balancers {
    sources = List.copyOf(sources);
  }

  /**
   * Parses address blocks such as {@code 10.0.0.0/8}.
   *
   * @throws IllegalArgumentException if a text is no address block
   */
  public static Balancers parse(List<String> sources) {
    try {
      return new Balancers(sources.stream().map(AddressBlock::parse).toList());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("accept proxy protocol: " + e.getMessage(), e);
    }
  }

  boolean has(InetAddress source) {
    return sources.stream().anyMatch(block -> block.contains(source));
  }

  boolean isEmpty() {
    return sources.isEmpty();
  }
}
