package io.cascade.studies.tunnel;

import org.jspecify.annotations.Nullable;

/** Way of a cell's connections over the lossy links. */
public enum TunnelWay {
  /** The kernels forward. */
  END_TO_END("end to end", null, false),
  /** One session over both links. */
  SINGLE("single", "datagram", false),
  /** A session over each link. */
  CASCADED("cascaded", "datagram", true),
  /** One session with the source's delivery: in order, by blocks. */
  SINGLE_BLOCKS("single, blocks", "ordered", false),
  /** A session over each link with the source's delivery. */
  CASCADED_BLOCKS("cascaded, blocks", "ordered", true);

  private final String words;
  private final @Nullable String deliveryMode;
  private final boolean cascaded;

  TunnelWay(String words, @Nullable String deliveryMode, boolean cascaded) {
    this.words = words;
    this.deliveryMode = deliveryMode;
    this.cascaded = cascaded;
  }

  String words() {
    return words;
  }

  /** The gateways' delivery option; null without gateways. */
  @Nullable String deliveryMode() {
    return deliveryMode;
  }

  boolean isCascaded() {
    return cascaded;
  }
}
