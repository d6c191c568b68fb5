package io.cascade.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.cascade.model.cascade.AsPublished;
import io.cascade.model.cascade.Cascade;
import io.cascade.model.cascade.Hop;
import io.cascade.model.cascade.LossDivision;
import io.cascade.model.cascade.PacketRecursion;
import io.cascade.model.cascade.PacketRedundancy;
import io.cascade.model.cascade.RelayDiscipline;
import io.cascade.model.cascade.SetupMode;
import io.cascade.model.multipath.WaterFilling;
import io.cascade.model.tcp.BbrThroughput;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.CubicThroughput;
import io.cascade.model.tcp.Framing;
import io.cascade.model.tcp.MathisThroughput;
import io.cascade.model.tcp.PathConditions;
import io.cascade.model.tcp.PftkThroughput;
import io.cascade.model.tcp.ShortFlow;
import io.cascade.model.tcp.SteadyRate;
import io.cascade.model.tcp.ThroughputModel;
import io.cascade.model.uncertainty.Interval;
import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.model.units.Rate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every formula against values of an independent program: {@code src/test/golden/golden.py}
 * computes them from the papers in 40 decimal digits and {@code golden.csv} keeps them.
 */
class GoldenValuesTest {

  private static final Path GOLDEN = Path.of("src", "test", "golden");
  private static final double EXACTLY = 1e-9;

  /** The schedule follows some hundred positions and not every packet. */
  private static final double THINNED = 0.01;

  static Stream<String> functions() throws IOException {
    return rows().stream().map(Row::function).distinct();
  }

  @ParameterizedTest
  @MethodSource("functions")
  void hasTheValuesOfTheIndependentProgram(String function) throws IOException {
    List<String> mismatches = new ArrayList<>();
    for (Row row : rows()) {
      if (row.function().equals(function)) {
        double[] actual = values(row);
        assertThat(actual).as("values of %s", row).hasSize(row.expected().size());
        for (int i = 0; i < actual.length; i++) {
          double share = function.equals("recursion") && i == 0 ? THINNED : EXACTLY;
          if (!near(actual[i], row.expected().get(i), share)) {
            mismatches.add(row + ", value " + i + ": " + actual[i]);
          }
        }
      }
    }
    assertThat(mismatches).isEmpty();
  }

  @Test
  void theProgramPrintsTheCommittedFile() throws Exception {
    assumeThat(Files.isExecutable(python()))
        .as("SKIPPED: no python3 here to compute the golden values again; CI has it")
        .isTrue();
    Process program =
        new ProcessBuilder(python().toString(), "-B", "golden.py")
            .directory(GOLDEN.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String printed = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(program.waitFor()).isZero();
    assertThat(printed.lines().toList())
        .isEqualTo(Files.readAllLines(GOLDEN.resolve("golden.csv")));
  }

  private static Path python() {
    for (String directory : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      Path program = Path.of(directory, "python3");
      if (Files.isExecutable(program)) {
        return program;
      }
    }
    return Path.of("python3");
  }

  private static boolean near(double actual, double expected, double share) {
    return actual == expected || Math.abs(actual - expected) <= share * Math.abs(expected);
  }

  private static double[] values(Row row) {
    return switch (row.function()) {
      case "mathis-periodic" ->
          rate(MathisThroughput.periodicLoss(row.whole(0)), row.uncapped(1, 2, 3));
      case "mathis-random" -> rate(MathisThroughput.RANDOM_LOSS, row.uncapped(0, 1, 2));
      case "mathis-random-delayed" ->
          rate(MathisThroughput.RANDOM_LOSS_DELAYED_ACKS, row.uncapped(0, 1, 2));
      case "mathis" -> rate(new MathisThroughput(row.number(0)), row.uncapped(1, 2, 3));
      case "cubic" -> rate(new CubicThroughput(), row.uncapped(0, 1, 2));
      case "bbr-v1" -> rate(BbrThroughput.V1, row.path(0));
      case "bbr-v3" -> rate(BbrThroughput.V3, row.path(0));
      case "pftk" -> pftk(row);
      case "linux-timeout" ->
          new double[] {PftkThroughput.linuxTimeoutSeconds(row.number(0), row.number(1))};
      case "framing" -> framing(row);
      case "steady" -> steady(row);
      case "in-series" -> inSeries(row);
      case "packets-until-loss" ->
          new double[] {ShortFlow.slowStartPackets(row.whole(0), row.number(1))};
      case "short-flow" -> shortFlow(row);
      case "handshake" ->
          new double[] {
            ShortFlow.handshakeSeconds(row.number(0), row.number(1), row.number(2), row.number(3))
          };
      case "loss-per-hop" ->
          new double[] {LossDivision.DIVIDED.perHop(row.number(0), row.whole(1))};
      case "hop" -> hop(row);
      case "chain" -> chain(row);
      case "recursion" -> recursion(row);
      case "published" -> published(row);
      case "water-filling" -> waterFilling(row);
      case "redundancy" ->
          new double[] {
            new PacketRedundancy(row.number(1), row.number(2)).packetsFor(row.whole(0))
          };
      case "clopper-pearson" -> clopperPearson(row);
      case "divided" -> divided(row);
      default -> throw new IllegalStateException("no test of " + row.function());
    };
  }

  private static double[] rate(ThroughputModel model, PathConditions path) {
    return new double[] {model.bitsPerSecond(path)};
  }

  private static double[] pftk(Row row) {
    double rtt = row.number(0);
    double loss = row.number(1);
    PftkThroughput model =
        PftkThroughput.LINUX
            .withPacketsPerAck(row.whole(2))
            .withRetransmissionTimeout(row.number(3))
            .withWindow(row.number(4));
    return new double[] {
      model.sendPacketsPerSecond(rtt, loss),
      model.deliveredPacketsPerSecond(rtt, loss),
      model.approximatePacketsPerSecond(rtt, loss)
    };
  }

  private static double[] framing(Row row) {
    Framing framing =
        new Framing(row.whole(0), Boolean.parseBoolean(row.inputs().get(1)), row.whole(2));
    return new double[] {framing.mssBytes(), framing.payloadShare()};
  }

  private static double[] steady(Row row) {
    ThroughputModel model = control(row.inputs().get(0)).model();
    double window = row.number(5);
    return new double[] {
      SteadyRate.of(model, row.path(1), window).bitsPerSecond(),
      SteadyRate.ofParallel(row.whole(6), model, row.path(1), window).bitsPerSecond()
    };
  }

  private static double[] inSeries(Row row) {
    PathConditions path =
        row.inputs().stream()
            .map(part -> new Row("part", List.of(part.split(":")), List.of()).path(0))
            .reduce(PathConditions::then)
            .orElseThrow();
    return new double[] {
      path.rttSeconds(),
      path.lossProbability(),
      path.mssBytes(),
      path.payloadCapacityBitsPerSecond()
    };
  }

  private static double[] shortFlow(Row row) {
    PftkThroughput connection =
        PftkThroughput.LINUX
            .withPacketsPerAck(row.whole(5))
            .withRetransmissionTimeout(row.number(6))
            .withWindow(row.number(7));
    ShortFlow.Phases phases =
        ShortFlow.of(connection)
            .withInitialWindow(row.whole(8))
            .transfer(row.path(0), row.whole(4));
    return new double[] {
      phases.slowStartPackets(),
      phases.slowStartSeconds(),
      phases.repairSeconds(),
      phases.steadySeconds()
    };
  }

  private static double[] hop(Row row) {
    Hop hop = row.hops(2).getFirst();
    Cascade alone =
        new Cascade(List.of(hop), SetupMode.WARM, RelayDiscipline.CUT_THROUGH, 0, row.whole(1));
    return new double[] {
      hop.steadyRate().bitsPerSecond(),
      hop.packetDelaySeconds(),
      alone.leastSeconds(row.bytes(0)) - alone.setupSeconds()
    };
  }

  private static double[] chain(Row row) {
    Cascade cascade =
        new Cascade(
            row.hops(4),
            SetupMode.valueOf(row.inputs().get(0)),
            RelayDiscipline.CUT_THROUGH,
            row.number(1),
            row.whole(3));
    DoubleStream.Builder values = DoubleStream.builder();
    values.add(cascade.setupSeconds()).add(cascade.leastSeconds(row.bytes(2)));
    for (int relay = 0; relay < cascade.hops().size() - 1; relay++) {
      values.add(cascade.relayBufferBytes(relay));
    }
    return values.build().toArray();
  }

  private static double[] recursion(Row row) {
    String[] relays = row.inputs().get(1).split("=", -1);
    RelayDiscipline discipline =
        switch (relays[0]) {
          case "cut" -> new RelayDiscipline.CutThrough(Double.parseDouble(relays[1]));
          case "chunk" -> new RelayDiscipline.Chunked(Long.parseLong(relays[1]));
          default -> new RelayDiscipline.StoreAndForward();
        };
    Cascade cascade =
        new Cascade(
            row.hops(5),
            SetupMode.valueOf(row.inputs().get(0)),
            discipline,
            row.number(2),
            row.whole(4));
    long bytes = row.bytes(3);
    return new double[] {
      cascade.deliver(bytes).totalSeconds() - cascade.setupSeconds(),
      PacketRecursion.transferSeconds(cascade, bytes)
    };
  }

  private static double[] published(Row row) {
    AsPublished equations = AsPublished.DEFAULTS;
    long bytes = row.bytes(0);
    Hop path = row.hops(1).getFirst();
    List<Hop> hops = row.hops(2);
    double rtt = hops.stream().mapToDouble(Hop::rttSeconds).sum();
    return new double[] {
      equations.bitsPerSecond(path),
      equations.longHaulSeconds(path, bytes),
      equations.pipelinedTransferSeconds(hops, bytes),
      equations.setupSeconds(rtt),
      equations.cascadedSeconds(hops, bytes),
      equations.overheadAllowanceSeconds(path, hops, bytes),
      equations.bitsPerSecondWithRelays(path, hops.size() - 1),
      equations.marginalBitsPerSecond(path, hops.size() - 1)
    };
  }

  private static double[] waterFilling(Row row) {
    List<WaterFilling.Path> paths =
        row.inputs().stream()
            .skip(1)
            .map(path -> path.split(":", -1))
            .map(path ->
                new WaterFilling.Path(Double.parseDouble(path[1]), Double.parseDouble(path[0])))
            .toList();
    return new double[] {WaterFilling.of(row.bytes(0), paths).seconds()};
  }

  private static double[] clopperPearson(Row row) {
    LossEstimate estimate = new LossEstimate(row.bytes(0), row.bytes(1));
    double confidence = row.number(2);
    return new double[] {estimate.likely(), estimate.lower(confidence), estimate.upper(confidence)};
  }

  private static double[] divided(Row row) {
    Interval ratio =
        new Interval(row.number(0), row.number(1), row.number(2))
            .dividedByIndependent(new Interval(row.number(3), row.number(4), row.number(5)));
    return new double[] {ratio.low(), ratio.likely(), ratio.high()};
  }

  private static CongestionControl control(String name) {
    return CongestionControl.named(name).orElseThrow();
  }

  private static List<Row> rows() throws IOException {
    return Files.readAllLines(GOLDEN.resolve("golden.csv")).stream().skip(1).map(Row::of).toList();
  }

  /** A line of the file. */
  private record Row(String function, List<String> inputs, List<Double> expected) {

    static Row of(String line) {
      String[] fields = line.split(",", -1);
      return new Row(
          fields[0],
          List.of(fields[1].split(" ", -1)),
          Stream.of(fields[2].split(" ", -1))
              .map(value -> Double.parseDouble(value.replace("inf", "Infinity")))
              .toList());
    }

    double number(int index) {
      return Double.parseDouble(inputs.get(index));
    }

    int whole(int index) {
      return Integer.parseInt(inputs.get(index));
    }

    long bytes(int index) {
      return Long.parseLong(inputs.get(index));
    }

    PathConditions uncapped(int rtt, int loss, int mss) {
      return PathConditions.uncapped(number(rtt), number(loss), whole(mss));
    }

    /** Round-trip time, loss, packet and capacity, from {@code first} on. */
    PathConditions path(int first) {
      return new PathConditions(
          number(first), number(first + 1), whole(first + 2), number(first + 3));
    }

    /** All inputs from {@code first} on: {@code rtt:loss:capacity:mtu:control:window}. */
    List<Hop> hops(int first) {
      return inputs.stream().skip(first).map(Row::hop).toList();
    }

    private static Hop hop(String text) {
      List<String> fields = new ArrayList<>();
      Collections.addAll(fields, text.split(":", -1));
      Hop hop =
          new Hop(
              Double.parseDouble(fields.get(0)),
              Double.parseDouble(fields.get(1)),
              OptionalDouble.empty(),
              Framing.ETHERNET_1500.withMtu(Integer.parseInt(fields.get(3))),
              control(fields.get(4)).model(),
              OptionalLong.empty());
      if (!fields.get(2).equals("-")) {
        hop = hop.withCapacity(new Rate(Double.parseDouble(fields.get(2))));
      }
      return fields.get(5).equals("-") ? hop : hop.withReceiveWindow(Long.parseLong(fields.get(5)));
    }

    @Override
    public String toString() {
      return function + " " + inputs + " expects " + expected;
    }
  }
}
