package io.cascade.gateway.scap;

import io.cascade.api.Json;
import io.cascade.api.identity.IdentityFile;
import io.cascade.command.DataSize;
import io.cascade.command.StopHook;
import io.cascade.gateway.reporting.ReportLoop;
import io.cascade.packets.pipes.PipeSelection;
import io.cascade.packets.pipes.Pipes;
import io.cascade.packets.scap.AdmissionPolicy;
import io.cascade.packets.scap.Mode;
import io.cascade.packets.scap.ScapCounts;
import io.cascade.packets.scap.ScapSettings;
import io.cascade.packets.signalling.SignallingMethod;
import java.io.PrintWriter;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    customSynopsis =
        "cascade scap up --near DEVICE --far PREFIX --pipe DEVICE,rtt=TIME[,...]... [OPTIONS]"
            + "%n       cascade scap up @FILE",
    description = {
      "Split the TCP connections that this router forwards from one device to a prefix over several"
          + " other devices, until it is stopped.",
      "Needs Linux and root; IPv4 only. The sending and the receiving host need nothing. When it"
          + " ends for any reason, the kernel forwards by its own routes again.",
      "Options can be kept in a file, one or more a line: cascade scap up @FILE"
    },
    footer = {
      "",
      "Example: two uplinks, nothing at the far side",
      "  cascade scap up --near lan0 --far 203.0.113.0/24 \\",
      "      --pipe wan0,rtt=40ms,via=192.0.2.1 --pipe wan1,rtt=80ms,via=198.51.100.1"
    })
final class ScapUpVerb implements Callable<Integer> {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,7}");
  private static final int LAST_TABLE = 1 << 30;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--near",
      paramLabel = "DEVICE",
      description =
          "Split connections from this device, which leads to the hosts on this side. Not in a"
              + " chain.")
  private @Nullable String near;

  @Option(
      names = "--near-pipe",
      paramLabel = "DEVICE,...",
      converter = PipeSpec.Converter.class,
      description = {
        "In a chain, use this pipe to another scap on this side instead of --near, written as for"
            + " --pipe. Its packets are put in order and split again over the far side's pipes."
            + " Repeatable."
      })
  private List<PipeSpec> nearPipes = List.of();

  @SuppressWarnings("NullAway.Init")
  @Option(
      names = "--far",
      required = true,
      paramLabel = "PREFIX",
      converter = Ipv4PrefixText.class,
      description = "Split connections to this prefix behind the pipes. Repeatable.")
  private List<String> far;

  @SuppressWarnings("NullAway.Init")
  @Option(
      names = "--pipe",
      required = true,
      paramLabel = "DEVICE,rtt=TIME[,...]",
      converter = PipeSpec.Converter.class,
      description = {
        "Use this device to the far side, with the round-trip time through it. Repeatable, at most"
            + " 16. Also rate=RATE and queue=SIZE of its slowest link, for pairs; loss=SHARE, for"
            + " --select; via=ADDRESS, its next hop. With peer=ADDRESS:PORT packets are sent in"
            + " datagrams to another scap, for uplinks that drop foreign sources; everything is"
            + " then measured, and rtt is optional."
      })
  private List<PipeSpec> pipes;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "def-plus",
      converter = ModeName.class,
      description = {
        "def-plus: packets in turn; reordering, told from loss by SACK blocks, is hidden from the"
            + " sender; without SACK as def. def, as published: as many duplicate acknowledgments"
            + " are dropped as the pipes' differences are estimated to cause. pair: another scap"
            + " with the same pipes at the far side puts packets in order. round-robin: packets in"
            + " turn, nothing else. duplicate: every packet over every pipe (default:"
            + " ${DEFAULT-VALUE})."
      })
  private Mode mode = Mode.DEF_PLUS;

  @Option(
      names = "--signalling",
      paramLabel = "METHOD",
      defaultValue = "none",
      converter = MethodName.class,
      description = {
        "Find the other end of a pair for each connection. none: assume that it is there. in-band:"
            + " by a TCP option. out-of-band: by messages beside pipes with peer=. hybrid: by the"
            + " option, or by messages if it did not get through. Without another end it works as"
            + " def-plus (default: ${DEFAULT-VALUE})."
      })
  private SignallingMethod signalling = SignallingMethod.NONE;

  @Option(
      names = "--split-after",
      paramLabel = "SIZE",
      defaultValue = "64KiB",
      converter = DataSize.Converter.class,
      description =
          "Send this much of a connection over one pipe before splitting it (default:"
              + " ${DEFAULT-VALUE}).")
  private DataSize splitAfter = new DataSize(64 << 10);

  @Option(
      names = "--one-pipe-ports",
      paramLabel = "PORT",
      split = ",",
      description = "Never split connections with one of these ports.")
  private List<Integer> onePipePorts = List.of();

  @Option(
      names = "--admit",
      paramLabel = "PREFIX",
      split = ",",
      converter = Ipv4PrefixText.class,
      description = "Split only connections with an end in one of these prefixes.")
  private List<String> admitted = List.of();

  @Option(
      names = "--select",
      paramLabel = "POLICY",
      defaultValue = "all",
      converter = SelectionText.class,
      description = {
        "Select the pipes of a connection: all, or any of difference=TIME (behind the fastest"
            + " pipe), loss=SHARE, most=N, applied in order. PREFIX:POLICY;POLICY sets one for"
            + " connections with an end in the prefix and one for the others (default:"
            + " ${DEFAULT-VALUE})."
      })
  private PipeSelection selection = new PipeSelection.All();

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "65536",
      description =
          "Track at most N connections; further ones use one pipe (default: ${DEFAULT-VALUE}).")
  private int connections = 65_536;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "64MiB",
      converter = DataSize.Converter.class,
      description =
          "Hold at most this much of packets that wait for others, all together (default:"
              + " ${DEFAULT-VALUE}).")
  private DataSize memory = new DataSize(64 << 20);

  @Option(
      names = "--name",
      paramLabel = "NAME",
      defaultValue = "scap",
      description = "Name its TUN devices after this (default: ${DEFAULT-VALUE}).")
  private String name = "scap";

  @Option(
      names = "--table",
      paramLabel = "N",
      defaultValue = "7700",
      description = {
        "Use routing tables from N on, one and two for each pipe, and N as the preference of its"
            + " rules (default: ${DEFAULT-VALUE})."
      })
  private int table = 7_700;

  @Option(
      names = "--control",
      paramLabel = "[ADDRESS:]PORT",
      description = {
        "Answer pipes, connections, policy and Prometheus (/metrics) on this address, over HTTP. A"
            + " port alone listens on loopback."
      })
  private @Nullable String control;

  @Mixin private SplitterReportOptions reports = new SplitterReportOptions();

  @Option(names = "--json", description = "Print a JSON document of what it did when it ends.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    check();
    CaptureRoutes routes = new CaptureRoutes(name, near, far, nearPipes, pipes, table);
    List<PipeSpec> all = new ArrayList<>(nearPipes);
    all.addAll(pipes);
    ScapSettings settings =
        new ScapSettings(
            mode,
            new AdmissionPolicy(
                splitAfter.bytes(),
                Set.copyOf(onePipePorts),
                admitted.stream().map(Ipv4PrefixText::prefix).toList()),
            selection,
            signalling,
            connections,
            HostDevices.mostSegmentBytes(all),
            memory.bytes());
    InetSocketAddress at = control == null ? null : controlAddress(control);
    String known = reportName();
    try (IdentityFile identity = reports.isGiven() ? reports.identity(known) : null) {
      return carry(routes, settings, at, known, identity);
    }
  }

  private int carry(
      CaptureRoutes routes,
      ScapSettings settings,
      @Nullable InetSocketAddress at,
      String known,
      @Nullable IdentityFile identity)
      throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    PrintWriter out = spec.commandLine().getOut();
    ScapHost host = ScapHost.open(routes, settings);
    try (StopHook hook = StopHook.install(host::stop, ended);
        ScapControl answering = at == null ? null : ScapControl.start(at, host);
        ReportLoop reporter = identity == null ? null : reports.start(host, known, identity)) {
      out.println(
          "scap ready: mode %s, %d pipes from %s to %s"
              .formatted(
                  ModeName.text(mode),
                  pipes.size(),
                  near == null ? nearPipes.size() + " near pipes" : near,
                  String.join(", ", far)));
      if (near != null && hasGlobalIpv6(near)) {
        out.println("IPv6 packets are not split: %s has IPv6 addresses".formatted(near));
      }
      out.flush();
      host.run();
    } finally {
      host.close();
      print(out, host.counts(), host.refused());
      ended.countDown();
    }
    return 0;
  }

  private static boolean hasGlobalIpv6(String device) {
    try {
      NetworkInterface found = NetworkInterface.getByName(device);
      return found != null
          && found
              .inetAddresses()
              .anyMatch(at -> at instanceof Inet6Address && !at.isLinkLocalAddress());
    } catch (SocketException e) {
      return false;
    }
  }

  private void check() {
    check("--pipe", pipes);
    check("--near-pipe", nearPipes);
    if ((near == null) == nearPipes.isEmpty()) {
      throw misuse("--near DEVICE, or --near-pipe for a chain (expected: one of them)");
    }
    if (near != null && !PipeSpec.DEVICE.matcher(near).matches()) {
      throw misuse("--near '" + near + "' (expected: a network device)");
    }
    if (!NAME.matcher(name).matches()) {
      throw misuse("--name '" + name + "' (expected: a-z, 0-9 and -, at most 8 characters)");
    }
    if (table < 1 || table > LAST_TABLE) {
      throw misuse("--table " + table + " (expected: 1 to " + LAST_TABLE + ")");
    }
    checkPair();
    if (connections < 1) {
      throw misuse("--connections " + connections + " (expected: >= 1)");
    }
  }

  private void checkPair() {
    List<PipeSpec> all = new ArrayList<>(nearPipes);
    all.addAll(pipes);
    if (mode != Mode.PAIR && signalling != SignallingMethod.NONE) {
      throw misuse(
          "--signalling with --mode "
              + ModeName.text(mode)
              + ": only a pair looks for its other end; fix: leave one of them out");
    }
    if (signalling.usesMessages() && all.stream().noneMatch(pipe -> pipe.peer() != null)) {
      throw misuse("--signalling by messages needs a pipe with peer=ADDRESS:PORT");
    }
    for (PipeSpec pipe : all) {
      boolean isMeasured = pipe.peer() != null;
      if (mode == Mode.PAIR && !isMeasured && !(pipe.rateIsGiven() && pipe.queueIsGiven())) {
        throw misuse(
            "a pair sends each packet by the pipe that delivers it first: %s needs rate= and queue=,"
                    .formatted(pipe.device())
                + " or peer= to have them measured");
      }
    }
  }

  private String reportName() {
    try {
      return reports.name(name);
    } catch (IllegalArgumentException e) {
      throw misuse(String.valueOf(e.getMessage()));
    }
  }

  private void check(String option, List<PipeSpec> some) {
    if (some.size() > Pipes.MOST) {
      throw misuse(option + ": " + some.size() + " (expected: at most " + Pipes.MOST + ")");
    }
    Set<String> ways = new HashSet<>();
    for (PipeSpec pipe : some) {
      int port = pipe.peer() == null ? 0 : pipe.peer().getPort();
      if (!ways.add(pipe.device() + " " + port)) {
        throw misuse(option + ": a device is given twice; with peer= they need ports of their own");
      }
    }
  }

  private InetSocketAddress controlAddress(String text) {
    int colon = text.lastIndexOf(':');
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      if (port >= 0 && port <= 65_535) {
        return colon < 0
            ? new InetSocketAddress(InetAddress.getLoopbackAddress(), port)
            : new InetSocketAddress(text.substring(0, colon), port);
      }
    } catch (NumberFormatException e) {
      // The exception below reports it.
    }
    throw misuse("--control '" + text + "' (expected: a port, or ADDRESS:PORT)");
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
}
