package io.cascade.siting;

import java.util.List;

/**
 * A demand's way through sites.
 *
 * @param relays indices of sites, in the stream's direction; empty for the direct path
 * @param cost seconds of the transfer, or seconds per bit of a stream
 */
record Chain(List<Integer> relays, double cost) {

  Chain {
    relays = List.copyOf(relays);
  }

  static Chain direct(double cost) {
    return new Chain(List.of(), cost);
  }
}
