package io.cascade.relay.conformance;

import io.cascade.api.orchestrator.ForwardMode;
import io.cascade.api.relay.StreamOptions;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.Hops;
import io.cascade.relay.TestChain;
import io.cascade.relay.pump.PumpMode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A way in which relays carry streams. Whatever moves bytes in another manner is to be named here,
 * and all of the suite applies to it.
 */
record RelayMode(Transport transport, PumpMode pump, Hops hops, Manner manner) {
  /** How bytes are moved. What is moved by pipes is never held back, so few manners apply. */
  private static final List<Mover> MOVERS =
      List.of(
          new Mover(Transport.EPOLL, PumpMode.AUTO, Hops.PLAIN, EnumSet.allOf(Manner.class)),
          new Mover(Transport.EPOLL, PumpMode.COPY, Hops.PLAIN, EnumSet.of(Manner.AT_ONCE)),
          new Mover(
              Transport.EPOLL,
              PumpMode.AUTO,
              Hops.TLS,
              EnumSet.of(Manner.AT_ONCE, Manner.IN_CHUNKS)),
          new Mover(
              Transport.EPOLL, PumpMode.AUTO, Hops.TLS_OF_THE_JDK, EnumSet.of(Manner.AT_ONCE)),
          new Mover(
              Transport.EPOLL,
              PumpMode.SPLICE,
              Hops.PLAIN,
              EnumSet.of(Manner.AT_ONCE, Manner.WITHOUT_WARM_CONNECTIONS, Manner.AFTER_BYTES)),
          // NIO takes its time for every reset and every window; one manner shows enough of it.
          new Mover(Transport.NIO, PumpMode.AUTO, Hops.PLAIN, EnumSet.of(Manner.AT_ONCE)));

  private record Mover(Transport transport, PumpMode pump, Hops hops, Set<Manner> manners) {}

  /** What a chain's options change. */
  enum Manner {
    AT_ONCE(Map.of(), (sent, _) -> sent),
    WITHOUT_WARM_CONNECTIONS(Map.of("warmConnections", 0), (sent, _) -> sent),
    WITH_THE_SMALLEST_BUFFER(Map.of("bufferBytes", 65_536), (sent, _) -> sent),
    AFTER_BYTES(
        Map.of("startAfterBytes", 5_000), (sent, ended) -> ended || sent >= 5_000 ? sent : 0),
    AFTER_WINDOWS(Map.of("startAfterWindows", 8), (sent, _) -> sent),
    IN_CHUNKS(Map.of("chunkBytes", 3_000), (sent, ended) -> ended ? sent : sent - sent % 3_000),
    STORED_WHOLE(Map.of("mode", ForwardMode.STORE_AND_FORWARD), (sent, ended) -> ended ? sent : 0);

    @SuppressWarnings("ImmutableEnumChecker") // every map above is
    private final Map<String, ?> options;

    @SuppressWarnings("ImmutableEnumChecker") // every lambda above is
    private final Script.HoldingBack holding;

    Manner(Map<String, ?> options, Script.HoldingBack holding) {
      this.options = options;
      this.holding = holding;
    }
  }

  /** Moved at once, and as the rest says. */
  static RelayMode of(Transport transport, PumpMode pump, Hops hops) {
    return new RelayMode(transport, pump, hops, Manner.AT_ONCE);
  }

  /** Every way on this machine. */
  static List<RelayMode> all() {
    List<RelayMode> modes = new ArrayList<>();
    for (Mover mover : MOVERS) {
      if (mover.transport().available()) {
        mover
            .manners()
            .forEach(manner ->
                modes.add(new RelayMode(mover.transport(), mover.pump(), mover.hops(), manner)));
      }
    }
    return modes;
  }

  StreamOptions options() {
    return TestChain.options(manner.options);
  }

  /** Whether the script means the same here as on a direct connection. */
  boolean plays(Script script) {
    boolean losesUrgentData = transport == Transport.NIO && script.sendsUrgentData();
    return !losesUrgentData && script.comesToItsEnd(manner.holding);
  }

  @Override
  public String toString() {
    return transport
        + " "
        + pump
        + (hops.areEncrypted() ? " " + hops + " " : " ")
        + manner.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
