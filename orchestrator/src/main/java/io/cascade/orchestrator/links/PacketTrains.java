package io.cascade.orchestrator.links;

import io.cascade.api.client.RelayControlClient;
import io.cascade.api.orchestrator.LinkTrain;
import io.cascade.api.orchestrator.LinkTrainRequest;
import io.cascade.api.orchestrator.TrainDirection;
import io.cascade.api.relay.Endpoint;
import io.cascade.api.relay.PacketDelay;
import io.cascade.api.relay.PacketTrain;
import io.cascade.api.relay.PacketTrainReflection;
import io.cascade.api.relay.PacketTrainReport;
import io.cascade.model.tcp.Framing;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayControls;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Lets relays send trains of full-size packets to each other, for links whose throughput TCP cannot
 * show. Their reports are evidence of both directions.
 */
@Component
class PacketTrains {
  private static final int PACKETS = 1_000;
  private static final long BITS_PER_SECOND = 10_000_000;

  /** Largest UDP payload over IPv4 in an Ethernet frame. */
  private static final int PACKET_BYTES = 1_472;

  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  /** Headers of UDP and IPv4, and Ethernet's with preamble, frame check sequence and gap. */
  private static final int HEADER_BYTES = 8 + 20 + 38;

  /**
   * Least share of the round trip that queueing delay adds when a queue stands, as for transfers.
   */
  private static final double QUEUE_SHARE = 0.25;

  private static final double QUEUE_MILLIS = 2;

  private final ThroughputTests tests;
  private final RelayControls controls;
  private final LinkTable links;

  PacketTrains(ThroughputTests tests, RelayControls controls, LinkTable links) {
    this.tests = tests;
    this.controls = controls;
    this.links = links;
  }

  /**
   * Sends a train now. Blocks until it is over.
   *
   * @throws Refusal if the train would take too long, or if a relay is unknown or unreachable,
   *     takes part in a test, refuses or fails
   */
  LinkTrain run(String from, String to, LinkTrainRequest request) {
    check(request);
    PacketTrainReport report =
        tests.alone(from, to, (source, reflector) -> send(source, reflector, request));
    boolean queuedThere = stoodInQueue(report.delayThere(), report.minRttMillis());
    boolean queuedBack = stoodInQueue(report.delayBack(), report.minRttMillis());
    links.trained(
        from,
        to,
        shown(
            report,
            report.packets(),
            report.lostThere(),
            report.receivedThereBitsPerSecond(),
            queuedThere));
    links.trained(
        to,
        from,
        shown(
            report,
            report.reflected(),
            report.lostBack(),
            report.receivedBackBitsPerSecond(),
            queuedBack));
    return LinkTrain.builder()
        .from(from)
        .to(to)
        .packets(report.packets())
        .packetBytes(report.packetBytes())
        .seconds(report.seconds())
        .sentBitsPerSecond(report.sentBitsPerSecond())
        .minRttMillis(report.minRttMillis())
        .there(
            direction(
                from,
                to,
                report.packets(),
                report.lostThere(),
                report.receivedThereBitsPerSecond(),
                report.delayThere(),
                queuedThere))
        .back(
            direction(
                to,
                from,
                report.reflected(),
                report.lostBack(),
                report.receivedBackBitsPerSecond(),
                report.delayBack(),
                queuedBack))
        .endedBy(report.endedBy().name())
        .build();
  }

  /** Refuses a request whose train would take too long as the caller's error. */
  private static void check(LinkTrainRequest request) {
    int packets = packets(request);
    long rate = bitsPerSecond(request);
    double seconds = 8.0 * PACKET_BYTES * packets / rate;
    if (seconds > LONGEST.toSeconds()) {
      throw new Refusal(
          ProblemKind.INVALID_REQUEST,
          "%d packets at %d bit/s take longer than %d s (fix: fewer packets, or more bits per second)"
              .formatted(packets, rate, LONGEST.toSeconds()));
    }
  }

  private static int packets(LinkTrainRequest request) {
    return Objects.requireNonNullElse(request.packets(), PACKETS);
  }

  private static long bitsPerSecond(LinkTrainRequest request) {
    return Objects.requireNonNullElse(request.bitsPerSecond(), BITS_PER_SECOND);
  }

  private PacketTrainReport send(
      RegisteredRelay from, RegisteredRelay to, LinkTrainRequest request) {
    UUID id = UUID.randomUUID();
    String key = tests.newKey();
    int packets = packets(request);
    long rate = bitsPerSecond(request);
    controls
        .of(to)
        .reflectPacketTrain(id, new PacketTrainReflection(key, from.name(), packets), TIMEOUT);
    return controls
        .of(from)
        .runPacketTrain(
            PacketTrain.builder()
                .testId(id)
                .to(new Endpoint(to.hop().host(), to.hop().port()))
                .peer(to.name())
                .key(key)
                .packets(packets)
                .bitsPerSecond(rate)
                .build(),
            LONGEST.plus(RelayControlClient.THROUGHPUT_TEST_GRACE).plus(TIMEOUT));
  }

  /** Whether a queue stood for half of the train; such a queue overflows sooner or later. */
  private static boolean stoodInQueue(PacketDelay delay, double minRttMillis) {
    return delay.medianMillis() >= Math.max(QUEUE_SHARE * minRttMillis, QUEUE_MILLIS);
  }

  private static Transfers.Train shown(
      PacketTrainReport report, long sent, long lost, @Nullable Double received, boolean queued) {
    return new Transfers.Train(
        queued ? 0 : sent,
        queued ? 0 : lost,
        received == null ? 0 : tcpPayload(received, report.packetBytes()),
        report.minRttMillis());
  }

  /** Rate of TCP payload that would occupy the same bandwidth on the wire as these packets. */
  private static double tcpPayload(double bitsPerSecond, int packetBytes) {
    double wire = bitsPerSecond * (packetBytes + HEADER_BYTES) / packetBytes;
    return wire * Framing.ETHERNET_1500.payloadShare();
  }

  private TrainDirection direction(
      String from,
      String to,
      int sent,
      int lost,
      @Nullable Double received,
      PacketDelay delay,
      boolean queued) {
    MeasuredLink link =
        links
            .find(from, to)
            .orElseThrow(() -> new Refusal(ProblemKind.UNKNOWN_LINK, from + " to " + to));
    return TrainDirection.builder()
        .sent(sent)
        .lost(lost)
        .bitsPerSecond(received)
        .delayMedianMillis(delay.medianMillis())
        .delayHighMillis(delay.highMillis())
        .stoodInQueue(queued)
        .link(link.document())
        .build();
  }
}
