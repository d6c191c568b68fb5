package io.cascade.client.verbs;

import io.cascade.charts.Chart;
import io.cascade.charts.NoFontsException;
import io.cascade.client.estimate.Dimension;
import io.cascade.client.estimate.EstimateText;
import io.cascade.client.estimate.Forwarding;
import io.cascade.client.estimate.HopList;
import io.cascade.client.estimate.LossText;
import io.cascade.client.estimate.Scenario;
import io.cascade.client.estimate.Sweep;
import io.cascade.client.estimate.SweepChart;
import io.cascade.client.estimate.SweepTable;
import io.cascade.client.measure.CongestionControl;
import io.cascade.command.BitRate;
import io.cascade.command.Complaint;
import io.cascade.command.DataSize;
import io.cascade.command.TimeSpan;
import io.cascade.contract.EstimateDocument;
import io.cascade.model.cascade.LossDivision;
import io.cascade.model.cascade.RelayDiscipline;
import io.cascade.model.cascade.SetupMode;
import io.cascade.model.estimate.Estimate;
import io.cascade.model.estimate.EstimateRequest;
import io.cascade.model.estimate.EstimateRequest.Variant;
import io.cascade.model.estimate.PathInput;
import io.cascade.model.estimate.SenderModel;
import io.cascade.model.estimate.SenderParameters;
import io.cascade.model.tcp.Framing;
import io.cascade.model.uncertainty.Interval;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

@Command(
    name = "estimate",
    mixinStandardHelpOptions = true,
    description = {
      "What would a path deliver, and what through relays? Computes; needs no orchestrator.",
      "Give --rtt and --loss for a path, --hops for a chain of hops, or both; --relays cuts a path into"
          + " equal hops. With --sweep it prints CSV, and draws with --plot."
    })
public final class EstimateVerb implements Callable<Integer> {
  private static final int TIMESTAMPED_HEADERS = 52;
  private static final int PLAIN_HEADERS = 40;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Mixin private Output output = new Output();

  @Option(
      names = "--model",
      paramLabel = "NAME",
      converter = HopList.SenderConverter.class,
      description =
          "Of the sender: reno, cubic, bbr, bbr3 as in plans; mathis and pftk as published. Without it"
              + " what this machine's own connections use.")
  private @Nullable SenderModel model;

  @Option(
      names = "--rtt",
      paramLabel = "TIME",
      converter = TimeSpan.Converter.class,
      description = "Round-trip time of the path, such as 64ms.")
  private @Nullable TimeSpan rtt;

  @Option(
      names = "--loss",
      paramLabel = "SHARE",
      converter = LossText.Converter.class,
      description =
          "Of the path's packets: 0.1%%, 0.001 or, counted, 31/10000, which gives bounds to all results.")
  private @Nullable LossText loss;

  @Option(
      names = "--capacity",
      paramLabel = "RATE",
      converter = BitRate.Converter.class,
      description = "Of the path on the wire, such as 32Mbit. Without it nothing is capped.")
  private @Nullable BitRate capacity;

  @Option(
      names = "--hops",
      paramLabel = "LIST",
      converter = HopList.Converter.class,
      description =
          "RTT/LOSS[/CAPACITY[/CONTROL[/MSS]]] of every hop, parted by commas. A counted loss is"
              + " written 5of10000 here.")
  private @Nullable HopList hops;

  @Option(
      names = "--relays",
      paramLabel = "N",
      description = "Cut the path into N + 1 equal hops. Needs --loss-division.")
  private @Nullable Integer relays;

  @Option(
      names = "--loss-division",
      paramLabel = "HOW",
      description =
          "What becomes of the path's loss when relays cut it: ${COMPLETION-CANDIDATES}."
              + " SHARED: the hops together lose what the path did. UNCHANGED: each of them does.")
  private @Nullable Division lossDivision;

  @Option(
      names = "--bytes",
      paramLabel = "SIZE",
      converter = DataSize.Converter.class,
      description = "How much is to be moved, such as 100MB. Without it: a stream without an end.")
  private @Nullable DataSize bytes;

  @Option(
      names = "--mss",
      paramLabel = "BYTES",
      description = "Payload of a full packet (1448). Sets the MTU.")
  private @Nullable Integer mss;

  @Option(names = "--mtu", paramLabel = "BYTES", description = "Largest IP packet (1500).")
  private @Nullable Integer mtu;

  @Option(
      names = "--no-timestamps",
      description = "Packets without TCP's timestamp option: 12 more bytes of payload each.")
  private boolean noTimestamps;

  @Option(
      names = "--ack-every",
      paramLabel = "N",
      defaultValue = "1",
      description = "Packets that one acknowledgement covers, 1 or 2 (1, as Linux behaves).")
  private int ackEvery = 1;

  @Option(
      names = "--rwnd",
      paramLabel = "SIZE",
      converter = DataSize.Converter.class,
      description = "The most that any receiver grants, such as 64KiB. Without it: no limit.")
  private @Nullable DataSize receiveWindow;

  @Option(
      names = "--constant",
      paramLabel = "C",
      description = "Of Mathis' formula (1.31, as published 1.2247).")
  private @Nullable Double constant;

  @Option(
      names = "--rto",
      paramLabel = "TIME",
      converter = TimeSpan.Converter.class,
      description = "First retransmission timeout, for pftk (200ms more than the round-trip time).")
  private @Nullable TimeSpan rto;

  @Option(
      names = "--setup",
      paramLabel = "MODE",
      description = "How the cascade is opened: ${COMPLETION-CANDIDATES} (WARM).")
  private @Nullable SetupMode setup;

  @Option(
      names = "--relay",
      paramLabel = "MODE",
      converter = Forwarding.Converter.class,
      description = "When relays pass on: pipelined, chunked:SIZE or store (pipelined).")
  private @Nullable Forwarding relay;

  @Option(
      names = "--windows",
      paramLabel = "W",
      description = "Round trips that a pipelined relay waits first (0, as published 16).")
  private @Nullable Double windows;

  @Option(
      names = "--parallel",
      paramLabel = "K",
      defaultValue = "4",
      description = "Connections of the rival with several direct ones (${DEFAULT-VALUE}).")
  private int parallel = 4;

  @Option(
      names = "--variant",
      paramLabel = "NAME",
      converter = VariantConverter.class,
      defaultValue = "corrected",
      description = "Whose equations: corrected or as-published (${DEFAULT-VALUE}).")
  private Variant variant = Variant.CORRECTED;

  @Option(
      names = "--sweep",
      paramLabel = "DIMENSIONS",
      converter = Sweep.Converter.class,
      description =
          "Every combination of values of rtt, loss, capacity, bytes and relays, such as"
              + " rtt=8ms..512ms:x2,loss=0.01%%,0.1%%,1%%. A range multiplies (:x2) or adds (:+8ms).")
  private @Nullable Sweep sweep;

  @Option(names = "--csv", paramLabel = "FILE", description = "Write the sweep's table there.")
  private @Nullable Path csv;

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description = "Draw the sweep, its first dimension along x: FILE.svg or FILE.png.")
  private @Nullable Path plot;

  @Option(
      names = "--y",
      paramLabel = "WHAT",
      description =
          "What --plot draws: ${COMPLETION-CANDIDATES} (utilisation where the capacity is known, else"
              + " rate).")
  private SweepChart.@Nullable Quantity y;

  /** What becomes of a path's loss. */
  enum Division {
    SHARED(LossDivision.DIVIDED),
    UNCHANGED(LossDivision.UNCHANGED);

    private final LossDivision model;

    Division(LossDivision model) {
      this.model = model;
    }
  }

  static final class VariantConverter implements ITypeConverter<Variant> {
    @Override
    public Variant convert(String value) {
      return switch (value.toLowerCase(Locale.ROOT)) {
        case "corrected" -> Variant.CORRECTED;
        case "as-published" -> Variant.AS_PUBLISHED;
        default ->
            throw new TypeConversionException(
                "'" + value + "' (expected: corrected or as-published)");
      };
    }
  }

  @Override
  public Integer call() {
    Sender sender = sender();
    if (sweep != null) {
      sweep(sender, sweep);
      return 0;
    }
    if (plot != null || csv != null || y != null) {
      throw misuse("--plot, --csv and --y: of a sweep (expected: with --sweep)");
    }
    Estimate estimate = Estimate.of(request(sender, fixed()));
    if (output.json()) {
      output.document(EstimateDocument.of(estimate));
    } else {
      EstimateText.print(estimate, sender.origin(), output.out());
    }
    return 0;
  }

  private void sweep(Sender sender, Sweep over) {
    if (output.json()) {
      throw misuse("--json: a sweep is printed as CSV (expected: one of --sweep and --json)");
    }
    if (hops != null
        && (over.varies(Dimension.RTT)
            || over.varies(Dimension.LOSS)
            || over.varies(Dimension.CAPACITY)
            || over.varies(Dimension.RELAYS))) {
      throw misuse(
          "--sweep: the hops of --hops are as they are (expected: bytes alone, or a path with --relays)");
    }
    Path picture = plot;
    if (picture != null && !isSvg(picture) && !isPng(picture)) {
      throw misuse("--plot: '" + picture + "' (expected: FILE.svg or FILE.png)");
    }
    List<Scenario> scenarios = over.scenarios(fixed());
    List<Estimate> points =
        scenarios.stream().map(scenario -> Estimate.of(request(sender, scenario))).toList();
    // Drawn before anything is printed: what cannot be drawn is said first, alone.
    byte[] drawn = picture == null ? null : drawn(picture, chart(sender, over, scenarios, points));
    String table = SweepTable.csv(points);
    if (csv != null) {
      write(csv, table.getBytes(StandardCharsets.UTF_8));
    } else {
      output.out().print(table);
      output.out().flush();
    }
    if (picture != null && drawn != null) {
      write(picture, drawn);
      output.note("drawn: " + picture);
    }
  }

  private static byte[] drawn(Path picture, Chart chart) {
    try {
      return isSvg(picture) ? chart.svg().getBytes(StandardCharsets.UTF_8) : chart.png();
    } catch (NoFontsException e) {
      throw new Complaint("--plot: " + e.getMessage(), e);
    }
  }

  private Chart chart(Sender sender, Sweep over, List<Scenario> scenarios, List<Estimate> points) {
    SweepChart.Quantity quantity = y;
    if (quantity == null) {
      quantity =
          points.stream().anyMatch(point -> point.direct().utilisation().isPresent())
              ? SweepChart.Quantity.UTILISATION
              : SweepChart.Quantity.RATE;
    }
    try {
      return SweepChart.of(
          sender.model().title() + (variant == Variant.AS_PUBLISHED ? ", as published" : ""),
          over,
          scenarios,
          points,
          quantity);
    } catch (IllegalArgumentException e) {
      throw misuse("--plot: " + e.getMessage());
    }
  }

  private static boolean isSvg(Path file) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".svg");
  }

  private static boolean isPng(Path file) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".png");
  }

  private static void write(Path file, byte[] content) {
    try {
      Files.write(file, content);
    } catch (IOException e) {
      throw new Complaint(file + ": cannot be written (" + e.getMessage() + ")", e);
    }
  }

  private Scenario fixed() {
    Map<Dimension, Interval> values = new EnumMap<>(Dimension.class);
    if (rtt != null) {
      values.put(Dimension.RTT, Interval.exactly(rtt.seconds()));
    }
    if (loss != null) {
      values.put(Dimension.LOSS, loss.probability());
    }
    if (capacity != null) {
      values.put(Dimension.CAPACITY, Interval.exactly((double) capacity.bitsPerSecond()));
    }
    if (bytes != null) {
      values.put(Dimension.BYTES, Interval.exactly((double) bytes.bytes()));
    }
    if (relays != null) {
      values.put(Dimension.RELAYS, Interval.exactly(relays));
    }
    return new Scenario(values);
  }

  private EstimateRequest request(Sender sender, Scenario scenario) {
    EstimateRequest.Builder request =
        EstimateRequest.of(sender.model())
            .variant(variant)
            .parallelConnections(parallel)
            .framing(framing());
    path(scenario).ifPresent(request::path);
    if (hops != null) {
      request.hops(hops.hops());
    }
    try {
      request.parameters(
          new SenderParameters(
              constant == null ? OptionalDouble.empty() : OptionalDouble.of(constant),
              ackEvery,
              rto == null ? OptionalDouble.empty() : OptionalDouble.of(rto.seconds())));
      int relayCount =
          (int) scenario.value(Dimension.RELAYS).map(Interval::likely).orElse(0.0).doubleValue();
      if (relayCount != 0) {
        if (lossDivision == null) {
          throw misuse(
              "--loss-division: not given (expected: SHARED or UNCHANGED: what becomes of the"
                  + " path's loss is for you to say)");
        }
        request.cut(relayCount, lossDivision.model);
      }
      scenario
          .value(Dimension.BYTES)
          .filter(value -> value.likely() != 0)
          .ifPresent(value -> request.bytes((long) value.likely()));
      if (receiveWindow != null) {
        request.receiveWindowBytes(receiveWindow.bytes());
      }
      if (setup != null) {
        request.setup(setup);
      }
      forwarding().ifPresent(request::forwarding);
      return request.build();
    } catch (IllegalArgumentException e) {
      throw misuse(flagged(String.valueOf(e.getMessage())));
    }
  }

  private Optional<PathInput> path(Scenario scenario) {
    Optional<Interval> roundTrip = scenario.value(Dimension.RTT);
    Optional<Interval> share = scenario.value(Dimension.LOSS);
    Optional<Interval> rate = scenario.value(Dimension.CAPACITY);
    if (roundTrip.isPresent() && share.isPresent()) {
      return Optional.of(
          new PathInput(
              roundTrip.get().likely(),
              share.get(),
              rate.isPresent() ? OptionalDouble.of(rate.get().likely()) : OptionalDouble.empty(),
              Optional.empty(),
              OptionalInt.empty()));
    }
    if (hops == null || roundTrip.isPresent() || share.isPresent() || rate.isPresent()) {
      throw misuse(
          (roundTrip.isPresent() ? "--loss" : "--rtt")
              + ": not given (expected: --rtt and --loss of the path, such as --rtt 64ms --loss 0.1%"
              + (hops == null ? ", or --hops)" : ", or --hops alone)"));
    }
    return Optional.empty();
  }

  private Framing framing() {
    if (mss != null && mtu != null) {
      throw misuse("--mss: " + mss + " (expected: one of --mss and --mtu)");
    }
    int headers = noTimestamps ? PLAIN_HEADERS : TIMESTAMPED_HEADERS;
    Framing usual = Framing.ETHERNET_1500;
    int packet = mtu != null ? mtu : mss != null ? mss + headers : usual.mtuBytes();
    if (packet <= TIMESTAMPED_HEADERS || packet > 65_535) {
      throw misuse(
          mtu != null
              ? "--mtu: " + mtu + " (expected: 53..65535)"
              : "--mss: " + mss + " (expected: such as 1448, with its headers at most 65535)");
    }
    return new Framing(packet, !noTimestamps, usual.linkOverheadBytes());
  }

  private Optional<RelayDiscipline> forwarding() {
    Forwarding asked = relay;
    Double wait = windows;
    if (wait == null) {
      return Optional.ofNullable(asked).map(Forwarding::discipline);
    }
    if (asked != null && !(asked.discipline() instanceof RelayDiscipline.CutThrough)) {
      throw misuse("--windows: " + wait + " (expected: with --relay pipelined only)");
    }
    if (!(wait >= 0 && Double.isFinite(wait))) {
      throw misuse("--windows: " + wait + " (expected: 0 or more)");
    }
    return Optional.of(new RelayDiscipline.CutThrough(wait));
  }

  /** The model's name for what is wrong becomes the option's. */
  private static String flagged(String message) {
    int colon = message.indexOf(':');
    String name = colon < 0 ? message : message.substring(0, colon);
    String option =
        switch (name) {
          case "packetsPerAck" -> "--ack-every";
          case "receiveWindowBytes" -> "--rwnd";
          case "parallelConnections" -> "--parallel";
          case "forwarding" -> "--relay";
          case "path" -> "--rtt";
          default -> "--" + name;
        };
    return colon < 0 ? message : option + message.substring(colon);
  }

  private ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private Sender sender() {
    if (model != null) {
      return new Sender(model, "as asked");
    }
    if (variant == Variant.AS_PUBLISHED) {
      return new Sender(SenderModel.MATHIS, "as published");
    }
    String own = CongestionControl.ofThisHost();
    if (own == null) {
      return new Sender(SenderModel.CUBIC, "since this machine does not say what it uses");
    }
    return SenderModel.ofCongestionControl(own)
        .map(known -> new Sender(known, "this machine's default"))
        .orElseGet(() ->
            new Sender(
                SenderModel.CUBIC,
                "in the place of " + own + ", this machine's default, of which there is no model"));
  }

  /** The sender's model, and why that is known. */
  private record Sender(SenderModel model, String origin) {}
}
