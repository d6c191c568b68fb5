package io.cascade.lab;

import io.cascade.api.Json;
import io.cascade.command.CommandException;
import io.cascade.kernel.NetworkNamespace;
import io.cascade.lab.emulator.Carrier;
import io.cascade.links.DirectionStatistics;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import io.cascade.links.Policer;
import io.cascade.links.QueueManagement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/**
 * Links carried by the kernel. Between the two hosts is a network namespace with two bridges, so
 * that a host's TCP sees neither queue nor loss in its own devices:
 *
 * <pre>
 *  host ─ near │ bridge ─ in ═ out ─ bridge │ far ─ host
 * </pre>
 *
 * From near to far a token bucket with a drop-tail queue in bytes is at {@code in}, netem with
 * delay and loss at {@code far}; the other way at {@code out} and {@code near}.
 */
final class NetemLinks implements Carrier {
  /** The Ethernet header, which the kernel counts and {@link LinkShape} does not. */
  private static final int ETHERNET_BYTES = 14;

  private static final long UNLIMITED_BITS_PER_SECOND = 100_000_000_000L;
  private static final int MOST_PACKETS_UNDER_WAY = 1_000_000;

  private final long startNanos = System.nanoTime();
  private final List<Way> ways = new ArrayList<>();

  /**
   * Joins the two devices that were put into a namespace between two hosts.
   *
   * @return the number of the direction from near to far; the next one is that back
   */
  int add(NetworkNamespace middle, LinkShape forward, LinkShape backward) {
    NetworkCommands.run(
        middle,
        List.of("ip"),
        List.of(
            "link add in mtu 9000 type veth peer name out mtu 9000",
            "link add nearside type bridge",
            "link add farside type bridge",
            "link set near master nearside",
            "link set in master nearside",
            "link set far master farside",
            "link set out master farside",
            "link set nearside up",
            "link set farside up",
            "link set near up",
            "link set in up",
            "link set out up",
            "link set far up"));
    Way there = new Way(middle, "in", "far", forward);
    Way back = new Way(middle, "out", "near", backward);
    for (Way way : List.of(there, back)) {
      NetworkCommands.run(
          middle, List.of("tc"), commands("add", way.queueDevice, way.pathDevice, way.shape));
      ways.add(way);
    }
    return ways.size() - 2;
  }

  /**
   * Lines of tc that create or change a direction.
   *
   * @param verb add or change
   */
  static List<String> commands(
      String verb, String queueDevice, String pathDevice, LinkShape shape) {
    if (!shape.jitter().isZero()) {
      throw new CommandException("jitter: netem's reorders packets; leave out --netem");
    }
    if (shape.reorderProbability() > 0) {
      throw new CommandException("reorder: not with netem; leave out --netem");
    }
    if (!shape.policer().equals(Policer.NONE)) {
      throw new CommandException("police: not with netem; leave out --netem");
    }
    if (!shape.management().equals(QueueManagement.DROP_TAIL)) {
      throw new CommandException("pie: not with netem; leave out --netem");
    }
    long rate =
        shape.bitsPerSecond() == LinkShape.UNLIMITED
            ? UNLIMITED_BITS_PER_SECOND
            : Math.round(
                shape.bitsPerSecond() * (double) (shape.mtu() + ETHERNET_BYTES) / shape.mtu());
    // A bucket must hold one packet, and the bytes of the rate between two ticks of a coarse timer.
    long burst = Math.max(shape.mtu() + ETHERNET_BYTES, rate / 8 / 1_000);
    return List.of(
        "qdisc %s dev %s root handle 1: tbf rate %dbit burst %d limit %d"
            .formatted(verb, queueDevice, rate, burst, shape.queueBytes() + burst),
        "qdisc %s dev %s root handle 1: netem limit %d delay %s loss %s"
            .formatted(
                verb,
                pathDevice,
                MOST_PACKETS_UNDER_WAY,
                delay(shape.delay()),
                shape.down() ? "random 100%" : loss(shape.loss())));
  }

  private static String delay(Duration delay) {
    return delay.toNanos() / 1_000 + "us";
  }

  private static String loss(Loss loss) {
    return switch (loss) {
      case Loss.Bernoulli bernoulli -> "random " + percent(bernoulli.probability());
      case Loss.GilbertElliott chain ->
          "gemodel %s %s %s %s"
              .formatted(
                  percent(chain.goodToBad()),
                  percent(chain.badToGood()),
                  percent(chain.lossInBad()),
                  percent(chain.lossInGood()));
    };
  }

  private static String percent(double probability) {
    return String.format(Locale.ROOT, "%.6f%%", probability * 100);
  }

  @Override
  public void start() {}

  @Override
  public boolean realTime() {
    return true;
  }

  @Override
  public double seconds() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  @Override
  public LinkShape shape(int direction) {
    return ways.get(direction).shape;
  }

  @Override
  public void reshape(int direction, LinkShape shape) {
    Way way = ways.get(direction);
    NetworkCommands.run(
        way.middle, List.of("tc"), commands("change", way.queueDevice, way.pathDevice, shape));
    way.shape = shape;
  }

  @Override
  public DirectionStatistics statistics(int direction) {
    Way way = ways.get(direction);
    JsonNode queue = discipline(way.middle, way.queueDevice);
    JsonNode path = discipline(way.middle, way.pathDevice);
    return counted(queue, path);
  }

  /**
   * @param queue of the token bucket, as reported by tc
   * @param path of netem
   */
  static DirectionStatistics counted(JsonNode queue, JsonNode path) {
    long passed = queue.path("packets").asLong();
    long dropped = queue.path("drops").asLong();
    long waiting = queue.path("backlog").asLong();
    long forwarded = path.path("packets").asLong();
    long forwardedBytes = path.path("bytes").asLong() - ETHERNET_BYTES * forwarded;
    long passedBytes = queue.path("bytes").asLong() - ETHERNET_BYTES * passed;
    return new DirectionStatistics(
        passed + dropped + queue.path("qlen").asLong(),
        passedBytes + waiting,
        forwarded,
        forwardedBytes,
        path.path("drops").asLong(),
        dropped,
        0,
        0,
        0,
        0,
        waiting);
  }

  private static JsonNode discipline(NetworkNamespace middle, String device) {
    String said =
        NetworkCommands.run(
            middle, List.of("tc", "-s", "-j"), List.of("qdisc show dev " + device + " root"));
    return Json.lenient().readTree(said).path(0);
  }

  @Override
  public void close() {
    ways.forEach(way -> way.middle.close());
  }

  private static final class Way {
    private final NetworkNamespace middle;
    private final String queueDevice;
    private final String pathDevice;
    private volatile LinkShape shape;

    Way(NetworkNamespace middle, String queueDevice, String pathDevice, LinkShape shape) {
      this.middle = middle;
      this.queueDevice = queueDevice;
      this.pathDevice = pathDevice;
      this.shape = shape;
    }
  }
}
