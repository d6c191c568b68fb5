package io.cascade.packets.pipes;

import io.cascade.packets.header.IpAddress;
import java.util.Arrays;

/** Pipes of 1.544 Mbit/s with queues of 75,000 bytes, as in the source's scenario. */
public final class TestPipes {
  private static final IpAddress ANY = IpAddress.of(new byte[] {10, 0, 0, 1});

  private TestPipes() {}

  public static Pipes of(int... roundTripMillis) {
    return new Pipes(
        Arrays.stream(roundTripMillis)
            .mapToObj(millis -> new PipeProperties(millis * 1_000_000L, 1_544_000, 75_000, 0))
            .toList());
  }

  /** All pipes as one connection's set. */
  public static PipeSet set(Pipes pipes) {
    return pipes.select(new PipeSelection.All(), ANY, ANY);
  }

  public static PipeSet set(int... roundTripMillis) {
    return set(of(roundTripMillis));
  }
}
