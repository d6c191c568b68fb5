package io.cascade.gateway.scap;

import io.cascade.api.Json;
import io.cascade.command.DataSize;
import io.cascade.command.StopHook;
import io.cascade.packets.pipes.PipeSelection;
import io.cascade.packets.pipes.Pipes;
import io.cascade.packets.scap.AdmissionPolicy;
import io.cascade.packets.scap.Mode;
import io.cascade.packets.scap.ScapCounts;
import io.cascade.packets.scap.ScapSettings;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    customSynopsis =
        "cascade scap up --near DEVICE --far PREFIX --pipe DEVICE,rtt=TIME[,...]... [OPTIONS]",
    description = {
      "Split the TCP connections that this router forwards from one device to a prefix over several"
          + " others, until it is stopped.",
      "Needs Linux and root. The sending and the receiving host need nothing. When it ends, however it"
          + " does, the kernel forwards by its own routes again. IPv4 only."
    },
    footer = {
      "",
      "Example: two uplinks, nothing at the far side",
      "  cascade scap up --near lan0 --far 203.0.113.0/24 --mode def \\",
      "      --pipe wan0,rtt=40ms,via=192.0.2.1 --pipe wan1,rtt=80ms,via=198.51.100.1"
    })
final class ScapUpVerb implements Callable<Integer> {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,7}");
  private static final int LAST_TABLE = 1 << 30;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init")
  @Option(
      names = "--near",
      required = true,
      paramLabel = "DEVICE",
      description = "Device towards the hosts on this side.")
  private String near;

  @SuppressWarnings("NullAway.Init")
  @Option(
      names = "--far",
      required = true,
      paramLabel = "PREFIX",
      converter = PrefixText.class,
      description = "Addresses behind the pipes. Once for each prefix.")
  private List<String> far;

  @SuppressWarnings("NullAway.Init")
  @Option(
      names = "--pipe",
      required = true,
      paramLabel = "DEVICE,rtt=TIME[,...]",
      converter = PipeSpec.Converter.class,
      description = {
        "A device that leads to the far side, with the round trip through it. Once for each, 16 at"
            + " most. Also rate=RATE and queue=SIZE of its slowest link, for pairs; loss=SHARE, for"
            + " --select; via=ADDRESS, its next hop."
      })
  private List<PipeSpec> pipes;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "def",
      converter = ModeName.class,
      description = {
        "def: packets in turn, and duplicate acknowledgments that the pipes' differences cause are"
            + " filtered. def-plus: as def, and by SACK blocks what is only reordered is hidden from the"
            + " sender. pair: another scap with the same pipes at the far side puts in order."
            + " round-robin: in turn, nothing else. duplicate: all by every pipe. (${DEFAULT-VALUE})"
      })
  private Mode mode = Mode.DEF;

  @Option(
      names = "--split-after",
      paramLabel = "SIZE",
      defaultValue = "64KiB",
      converter = DataSize.Converter.class,
      description = "What a connection sends by one pipe first (${DEFAULT-VALUE}).")
  private DataSize splitAfter = new DataSize(64 << 10);

  @Option(
      names = "--one-pipe-ports",
      paramLabel = "PORT",
      split = ",",
      description = "Connections with one of these ports are never split.")
  private List<Integer> onePipePorts = List.of();

  @Option(
      names = "--select",
      paramLabel = "POLICY",
      defaultValue = "all",
      converter = SelectionText.class,
      description = {
        "Which pipes a connection gets: all, or any of difference=TIME (beyond the quickest),"
            + " loss=SHARE, most=N, one after the other (${DEFAULT-VALUE})."
      })
  private PipeSelection selection = new PipeSelection.All();

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "65536",
      description = "Records at a time; further connections go by one pipe (${DEFAULT-VALUE}).")
  private int connections = 65_536;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "64MiB",
      converter = DataSize.Converter.class,
      description = "Packets that may wait for others, all together (${DEFAULT-VALUE}).")
  private DataSize memory = new DataSize(64 << 20);

  @Option(
      names = "--name",
      paramLabel = "NAME",
      defaultValue = "scap",
      description = "What its TUN devices are called by (${DEFAULT-VALUE}).")
  private String name = "scap";

  @Option(
      names = "--table",
      paramLabel = "N",
      defaultValue = "7700",
      description = {
        "First of the routing tables that it uses, 1 and two for each pipe, and preference of its"
            + " rules (${DEFAULT-VALUE})."
      })
  private int table = 7_700;

  @Option(names = "--json", description = "Print what it did as JSON when it ends.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    check();
    CaptureRoutes routes = new CaptureRoutes(name, near, far, pipes, table);
    ScapSettings settings =
        new ScapSettings(
            mode,
            new AdmissionPolicy(splitAfter.bytes(), Set.copyOf(onePipePorts)),
            selection,
            connections,
            ScapHost.mostSegmentBytes(pipes),
            memory.bytes());
    CountDownLatch ended = new CountDownLatch(1);
    PrintWriter out = spec.commandLine().getOut();
    ScapHost host = ScapHost.open(routes, settings);
    try (StopHook hook =
        StopHook.install(() -> {
          host.stop();
          awaitUninterruptibly(ended);
        })) {
      out.println(
          "scap ready: mode %s, %d pipes from %s to %s"
              .formatted(ModeName.text(mode), pipes.size(), near, String.join(", ", far)));
      out.flush();
      host.run();
    } finally {
      host.close();
      print(out, host.counts(), host.refused());
      ended.countDown();
    }
    return 0;
  }

  private void check() {
    if (pipes.size() > Pipes.MOST) {
      throw misuse("--pipe: " + pipes.size() + " (expected: at most " + Pipes.MOST + ")");
    }
    if (new HashSet<>(pipes.stream().map(PipeSpec::device).toList()).size() < pipes.size()) {
      throw misuse("--pipe: a device is given twice");
    }
    if (!PipeSpec.DEVICE.matcher(near).matches()) {
      throw misuse("--near '" + near + "' (expected: a network device)");
    }
    if (!NAME.matcher(name).matches()) {
      throw misuse("--name '" + name + "' (expected: a-z, 0-9 and -, at most 8 characters)");
    }
    if (table < 1 || table > LAST_TABLE) {
      throw misuse("--table " + table + " (expected: 1 to " + LAST_TABLE + ")");
    }
    if (connections < 1) {
      throw misuse("--connections " + connections + " (expected: >= 1)");
    }
  }

  private ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private void print(PrintWriter out, ScapCounts counts, long refused) {
    if (json) {
      out.println(Json.lenient().writeValueAsString(counts));
    } else {
      out.println(
          ("%d packets out, %d in, %d split, %d acknowledgments filtered, %d gaps given up, %d not"
                  + " taken by the kernel")
              .formatted(
                  counts.outbound(),
                  counts.inbound(),
                  counts.split(),
                  counts.processors().filteredAcks(),
                  counts.processors().gapsByComparison()
                      + counts.processors().gapsByTimer()
                      + counts.processors().gapsByMemory(),
                  refused));
    }
    out.flush();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Modes by their names on the command line. */
  static final class ModeName implements ITypeConverter<Mode> {
    static String text(Mode mode) {
      return mode.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public Mode convert(String value) {
      for (Mode mode : Mode.values()) {
        if (text(mode).equals(value)) {
          return mode;
        }
      }
      throw new TypeConversionException(
          "'" + value + "' (expected: def, def-plus, pair, round-robin or duplicate)");
    }
  }
}
