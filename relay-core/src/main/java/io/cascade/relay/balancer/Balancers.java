package io.cascade.relay.balancer;

import io.cascade.api.AddressBlock;
import java.net.InetAddress;
import java.util.List;

/**
 * Load balancers that say by the PROXY protocol who their clients are. What others would say of
 * that is not read: it would be whatever they like.
 *
 * @param sources addresses from which they connect
 */
public record Balancers(List<AddressBlock> sources) {
  /** There are none. */
  public static final Balancers NONE = new Balancers(List.of());

  public Balancers {
    sources = List.copyOf(sources);
  }

  /**
   * Reads addresses such as {@code 10.0.0.0/8}.
   *
   * @throws IllegalArgumentException where one is none
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
