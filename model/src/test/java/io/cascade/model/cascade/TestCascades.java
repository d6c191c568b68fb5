package io.cascade.model.cascade;

/** Cascades with other values than those of {@link Cascade#of}. */
final class TestCascades {
  private TestCascades() {}

  static Cascade withSetup(SetupMode setup, Cascade cascade) {
    return new Cascade(
        cascade.hops(),
        setup,
        cascade.relays(),
        cascade.relayDelaySeconds(),
        cascade.initialWindow());
  }

  static Cascade withRelayDelay(double seconds, Cascade cascade) {
    return new Cascade(
        cascade.hops(), cascade.setup(), cascade.relays(), seconds, cascade.initialWindow());
  }
}
