package io.cascade.studies.crowd;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.identity.RelayKey;
import io.cascade.api.identity.RelaySigner;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.HopSecurity;
import io.cascade.api.orchestrator.LinkMeasurement;
import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.api.orchestrator.RelayPeer;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.api.relay.ProbeReport;
import io.cascade.api.relay.ProbeRequest;
import io.cascade.command.Version;
import io.cascade.relay.control.ControlConnection;
import io.cascade.relay.control.ControlRequests;
import io.cascade.relay.destination.DestinationUses;
import io.cascade.relay.probe.LinkReport;
import io.cascade.relay.registration.Registrant;
import io.cascade.relay.registration.Registration;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * A relay from the point of view of an orchestrator: registration and control connection use a
 * relay's code, and there is no data plane. It reports as many links, and lists as many parts, as a
 * relay with that many would.
 */
final class SimulatedRelay implements Registrant, AutoCloseable {
  /** A relay sends each peer ten probes a second, and at most two hundred a second in total. */
  private static final double PROBES_OF_ONE = 10;

  private static final double PROBES_OF_ALL = 200;
  private static final int HOP_PORT = 7_411;
  private static final double FARTHEST_MILLIS = 150;

  private final String name;
  private final String site;
  private final String host;
  private final UUID instance = UUID.randomUUID();
  private final RelaySigner signer = new RelaySigner(RelayKey.generate(), 1, 0);
  private final DestinationUses uses = new DestinationUses();
  private final Registration registration;
  private final ControlConnection control;
  private volatile List<RelayPeer> peers = List.of();
  private volatile long reportedAt = System.nanoTime();

  /**
   * @param number of the relay, from 0
   * @param heartbeats client for registrations and heartbeats
   * @param calls client for the control connection
   * @param late receives the delays of lease renewals beyond a third of the lease
   */
  SimulatedRelay(
      int number, OrchestratorClient heartbeats, OrchestratorClient calls, Latencies late) {
    this.name = "r" + number;
    this.site = "site-" + number / 10;
    this.host = "198.18." + number / 250 + "." + (1 + number % 250); // RFC 2544: for benchmarks
    this.registration =
        new Registration(heartbeats, this, false, new SplittableRandom(number + 1L));
    SimulatedParts parts = new SimulatedParts(name, instance, host, late);
    this.control =
        new ControlConnection(
            calls,
            name,
            () -> signer.sign(name, instance),
            registration::isRegistered,
            new ControlRequests(parts, parts, this::probed, new NoTests(), () -> ""));
  }

  void start() {
    registration.start();
    control.start();
  }

  /** Ends the relay as if its process were killed: it sends nothing any more. */
  @Override
  public void close() {
    registration.leave();
    control.close();
  }

  @Override
  public RelayRegistration registration() {
    return new RelayRegistration(
        name,
        site,
        instance,
        Version.text(),
        null,
        new Endpoint(host, HOP_PORT),
        1_000_000_000L,
        null,
        "cubic",
        List.of("cubic", "bbr"),
        HopSecurity.PLAIN,
        null,
        6L << 20,
        6L << 20,
        null,
        null,
        "",
        0L,
        0L,
        "");
  }

  @Override
  public RelaySigner signer() {
    return signer;
  }

  @Override
  public long runningStreams() {
    return 0;
  }

  @Override
  public long heldBytes() {
    return 0;
  }

  @Override
  public RelayLimits limits() {
    return new RelayLimits(10_000, 256L << 20, 4L << 20, 25);
  }

  @Override
  public LinkReport links() {
    long now = System.nanoTime();
    List<RelayPeer> measured = peers;
    double rate = Math.min(PROBES_OF_ONE, PROBES_OF_ALL / Math.max(1, measured.size()));
    long sent = (long) (rate * (now - reportedAt) / 1e9);
    List<LinkMeasurement> links =
        sent == 0 ? List.of() : measured.stream().map(peer -> link(peer.name(), sent)).toList();
    return new LinkReport() {
      @Override
      public List<LinkMeasurement> links() {
        return links;
      }

      @Override
      public void delivered() {
        if (!links.isEmpty()) {
          reportedAt = now;
        }
      }
    };
  }

  /** The measurement of a link. Its round trip is the same each time and in both directions. */
  private LinkMeasurement link(String peer, long sent) {
    double millis = 1 + Math.floorMod(name.hashCode() ^ peer.hashCode(), 149_000) / 1e3;
    return new LinkMeasurement(peer, sent, sent, 0L, 0L, millis, millis + 0.123456, 0.034567, null);
  }

  @Override
  public DestinationUses destinations() {
    return uses;
  }

  @Override
  public void peers(List<RelayPeer> now, Duration leastBetween) {
    peers = now;
  }

  @Override
  public void replaced(String reason) {
    throw new IllegalStateException(name + ": " + reason);
  }

  /** Reports every destination as reachable, with the same round trip from a relay each time. */
  private ProbeReport probed(ProbeRequest asked) {
    double millis = 1 + Math.floorMod(name.hashCode(), 1_000) / 1_000.0 * FARTHEST_MILLIS;
    int attempts = Objects.requireNonNullElse(asked.count(), 5);
    return new ProbeReport(
        asked.host(),
        asked.port(),
        "203.0.113.1",
        attempts,
        attempts,
        0,
        millis,
        millis + 0.1,
        null,
        null);
  }
}
