package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import io.cascade.carriage.transport.LossResponse;
import io.cascade.client.forward.CodedPipeDialler;
import io.cascade.client.forward.DirectPipeDialler;
import io.cascade.client.forward.FarJunction;
import io.cascade.client.forward.ForwardChain;
import io.cascade.client.forward.IngressJunction;
import io.cascade.client.forward.JunctionListener;
import io.cascade.client.forward.PipeDialler;
import io.cascade.client.forward.StreamReport;
import io.cascade.client.measure.PathProbe;
import io.cascade.client.transfer.coded.SessionDial;
import io.cascade.client.ways.OwnPaths;
import io.cascade.client.ways.TemporaryChain;
import io.cascade.command.CommandException;
import io.cascade.command.DataSize;
import io.cascade.command.FirstOptions;
import io.cascade.command.KeyFile;
import io.cascade.command.ListenFailure;
import io.cascade.command.ParsedOption;
import io.cascade.command.TimeSpan;
import io.cascade.kernel.settings.KernelSettings;
import io.cascade.segments.FrameCodec;
import io.cascade.segments.Scheduler;
import io.cascade.segments.SegmentStream;
import io.cascade.segments.SharedKey;
import io.cascade.segments.WindowAllowance;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@FirstOptions({"--listen", "--accept", "--to", "--key-file", "--orchestrator"})
@Command(
    name = "forward",
    mixinStandardHelpOptions = true,
    customSynopsis = {
      "cascade forward --listen [HOST:]PORT --to HOST:PORT --key-file FILE [OPTIONS]",
      "       cascade forward --accept [HOST:]PORT --to HOST:PORT --key-file FILE [OPTIONS]"
    },
    description = {
      "Carry TCP streams over several pipes at once, to survive the failure of any relay.",
      "On the clients' side, --listen accepts their connections and --to names the other side's"
          + " --accept. On the other side, --to names the destination. Both sides need the same"
          + " key."
    },
    footer = {
      "",
      "Examples:",
      "  (umask 077; openssl rand -hex 32 > forward.key)   # on one side; copy it to the other",
      "  cascade forward --accept 7500 --to 127.0.0.1:5432 --key-file forward.key",
      "  cascade forward --listen 127.0.0.1:5432 --to db.example.org:7500 --key-file forward.key"
    })
public final class ForwardVerb implements Callable<Integer> {
  /**
   * The part of the heap for streams' buffers is one in so many; each stream has two directions.
   */
  private static final int SHARE_OF_HEAP = 2;

  /** The part of the heap for further growth of streams' buffers is one in so many. */
  private static final int GROWTH_OF_HEAP = 4;

  private static final int MOST_PIPES = 16;
  private static final int BUFFER = 4 << 20;
  private static final int MOST_BUFFER = 64 << 20;

  private static final Duration SPACING = Duration.ofMillis(10);
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(3);
  private static final int PROBES = 20;

  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init")
  @ArgGroup(multiplicity = "1")
  private Side side;

  @SuppressWarnings("NullAway.Init")
  @Option(
      names = "--to",
      required = true,
      paramLabel = "HOST:PORT",
      converter = HostPortConverter.class,
      description =
          "Connect to this address: with --listen the other side's --accept, with --accept the"
              + " destination.")
  private HostPort to;

  @SuppressWarnings("NullAway.Init")
  @Option(
      names = "--key-file",
      required = true,
      paramLabel = "FILE",
      description = "Read the secret that both sides share, 16 bytes or more, from this file.")
  private Path keyFile;

  @Option(
      names = "--chains",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "Use N chains that the planner chooses, through different relays, beside the direct path"
              + " (default: ${DEFAULT-VALUE}; at most 4).")
  private int chains = 2;

  @Option(
      names = "--via",
      completionCandidates = KnownNames.OfRelays.class,
      paramLabel = "RELAY[,RELAY...]",
      description =
          "Use a chain through exactly these relays, in this order, instead of --chains. Repeat for"
              + " each chain.")
  private List<String> via = List.of();

  @Option(
      names = "--direct",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Use the direct path too (the default).")
  private boolean direct = true;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Use N pipes over each path, for lossy paths (default: ${DEFAULT-VALUE}; at most 16 in"
              + " all).")
  private int parallel = 1;

  @Option(
      names = "--controls",
      paramLabel = "NAME",
      split = ",",
      description =
          "Limit the congestion controls that plans may choose for the chains, and that this"
              + " process may switch its connections to when they lose packets, such as cubic,bbr;"
              + " own: only each sender's usual one (default: all that each offers).")
  private @Nullable List<String> controls;

  @Option(
      names = "--scheduler",
      paramLabel = "NAME",
      defaultValue = "earliest",
      converter = SchedulerName.class,
      description =
          "Divide a stream over its pipes by this rule: earliest (each piece on the pipe that"
              + " delivers it first), round-robin, or duplicate (everything on every pipe, for"
              + " latency) (default: ${DEFAULT-VALUE}).")
  private Scheduler scheduler = Scheduler.EARLIEST;

  @Option(
      names = "--patience",
      paramLabel = "TIME",
      defaultValue = "60s",
      converter = TimeSpan.Converter.class,
      description =
          "Reset a stream that has had no pipe for this long (default: ${DEFAULT-VALUE}).")
  private TimeSpan patience = new TimeSpan(60);

  @Option(
      names = "--buffer",
      paramLabel = "SIZE",
      converter = DataSize.PositiveConverter.class,
      description =
          "Buffer at most this much of each direction of a stream, at either side (default: 4MiB,"
              + " growing up to 64MiB with the round trip, by at most a quarter of the heap for"
              + " all streams together). The number of streams is limited to half of the heap"
              + " divided by twice this size.")
  private @Nullable DataSize buffer;

  /** State of this process. */
  static final class Side {
    @Option(
        names = "--listen",
        required = true,
        paramLabel = "[HOST:]PORT",
        converter = LocalAddress.class,
        description =
            "Accept clients' connections on this address. A port alone listens on loopback; port 0"
                + " picks a free port.")
    private @Nullable InetSocketAddress listen;

    @Option(
        names = "--accept",
        required = true,
        paramLabel = "[HOST:]PORT",
        converter = ReceiveVerb.ListenAddress.class,
        description =
            "Accept the other side's pipes on this address. A port alone listens on every address.")
    private @Nullable InetSocketAddress accept;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (bufferBytes() < FrameCodec.MOST_DATA || bufferBytes() > 1L << 30) {
      throw new CommandException(
          "--buffer: %d bytes (expected: 64KiB to 1GiB)".formatted(bufferBytes()));
    }
    SharedKey key = new SharedKey(KeyFile.read(keyFile));
    SegmentStream.Settings settings =
        new SegmentStream.Settings(
            Math.toIntExact(bufferBytes()),
            buffer == null ? MOST_BUFFER : Math.toIntExact(bufferBytes()),
            new WindowAllowance(Runtime.getRuntime().maxMemory() / GROWTH_OF_HEAP),
            (long) (patience.seconds() * 1e9),
            scheduler);
    InetSocketAddress listen = side.listen;
    InetSocketAddress accept = side.accept;
    try {
      if (accept != null) {
        try (FarJunction junction =
            FarJunction.open(
                accept, key, settings, to, mostStreams(), changesControl(), listener())) {
          ready("accepting pipes on", junction.address(), junction);
        }
      } else if (listen != null) {
        try (IngressJunction junction =
            IngressJunction.open(
                listen,
                key,
                settings,
                diallers(key),
                mostStreams(),
                changesControl(),
                listener())) {
          ready("forwarding", junction.address(), junction);
        }
      }
      return 0;
    } catch (IOException e) {
      InetSocketAddress wanted = accept != null ? accept : listen;
      throw new CommandException(
          "cannot listen on %s: %s; fix: use another address, or port 0 for a free one"
              .formatted(wanted, ListenFailure.words(e)),
          e);
    }
  }

  /** Announces the listening address, and blocks until the process ends. */
  private void ready(String what, InetSocketAddress address, AutoCloseable junction)
      throws InterruptedException {
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> close(junction)));
    String line =
        "%s %s to %s, ready".formatted(what, address.toString().replaceFirst("^[^/]*/", ""), to);
    if (output.json()) {
      output.note(line);
    } else {
      output.out().println(line);
      output.out().flush();
    }
    new CountDownLatch(1).await();
  }

  private static void close(AutoCloseable junction) {
    try {
      junction.close();
    } catch (Exception e) {
      // The process ends anyway, which resets what is left.
    }
  }

  private long bufferBytes() {
    return buffer == null ? BUFFER : buffer.bytes();
  }

  private int mostStreams() {
    long held = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
    return Math.toIntExact(Math.clamp(held / (2 * bufferBytes()), 1, 1_000));
  }

  /** Whether connections may switch to the congestion control for losses. */
  private boolean changesControl() {
    return controls == null || controls.contains(LossResponse.CONTROL);
  }

  private List<PipeDialler> diallers(SharedKey key) {
    List<PipeDialler> diallers = new ArrayList<>();
    DirectPipeDialler straight = new DirectPipeDialler(to, changesControl());
    if (direct) {
      diallers.add(straight);
    }
    OrchestratorClient client = orchestrator.client();
    List<ForwardChain> opened = new ArrayList<>();
    ReentrantLock opening = new ReentrantLock(true);
    int count = via.isEmpty() ? chains : via.size();
    for (int i = 0; i < count; i++) {
      List<String> exact = via.isEmpty() ? List.of() : List.of(via.get(i).split(",", -1));
      int own = i;
      Function<String, ChainRequest> request =
          name -> request(client, name, exact, exact.isEmpty() ? others(opened, own) : List.of());
      opened.add(
          new ForwardChain(
              "chain " + (i + 1),
              !exact.isEmpty(),
              client,
              request,
              opening,
              changesControl(),
              output::note));
    }
    diallers.addAll(opened);
    int pipes = diallers.size() * parallel;
    if (count < 0 || count > 4 || pipes < 1 || pipes > MOST_PIPES) {
      throw new CommandException(
          ("%d chains and %d pipes in all (expected: 0 to 4 chains, 1 to 16 pipes); fix: change"
                      + " --chains,")
                  .formatted(count, pipes)
              + " --via, --no-direct or --parallel");
    }
    opened.forEach(ForwardChain::start);
    List<PipeDialler> all = new ArrayList<>();
    Collections.nCopies(parallel, diallers).forEach(all::addAll);
    if (direct && pipes < MOST_PIPES && SessionDial.isAvailable()) {
      all.add(new CodedPipeDialler(straight, key, output::note));
    }
    return all;
  }

  /** The question to the planner where congestion controls are limited. */
  private PlanRequest question(List<String> exact, List<String> avoid, @Nullable Source source) {
    return PlanRequest.builder()
        .destination(to.toString())
        .via(exact.isEmpty() ? null : exact)
        .avoid(avoid.isEmpty() ? null : avoid)
        .source(source)
        .controls(List.of("own").equals(controls) ? List.of() : controls)
        .build();
  }

  /** Relays that other chains of this agent use already. */
  private static List<String> others(List<ForwardChain> chains, int own) {
    List<String> relays = new ArrayList<>();
    for (int i = 0; i < chains.size(); i++) {
      if (i != own) {
        relays.addAll(chains.get(i).relays());
      }
    }
    return relays;
  }

  private ChainRequest request(
      OrchestratorClient client, String name, List<String> exact, List<String> avoid) {
    Source source = exact.isEmpty() ? source(client, avoid) : null;
    return ChainRequest.builder()
        .destination(to.toString())
        .name(name)
        .via(exact.isEmpty() ? null : exact)
        .avoid(avoid.isEmpty() ? null : avoid)
        .source(source)
        .question(controls == null ? null : question(exact, avoid, source))
        .timeToLiveSeconds(TemporaryChain.TIME_TO_LIVE_SECONDS)
        .build();
  }

  /** Measurements of this host's own paths, for the planner. */
  private @Nullable Source source(OrchestratorClient client, List<String> avoid) {
    try {
      OwnPaths paths = OwnPaths.to(to, client, name -> !avoid.contains(name));
      PathProbe probe = new PathProbe(PROBES, SPACING, PROBE_TIMEOUT);
      return Source.builder()
          .observations(paths.measure(probe))
          .congestionControl(KernelSettings.congestionControl())
          .build();
    } catch (UnreachableException | ProblemException e) {
      return null; // Opening the chain will fail with the reason.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private JunctionListener listener() {
    return new JunctionListener() {
      @Override
      public void note(String line) {
        output.note(line);
      }

      @Override
      public void over(long stream, StreamReport report) {
        if (output.json()) {
          output.documentLine(report);
        } else {
          output.note(text(stream, report));
        }
      }
    };
  }

  private static String text(long stream, StreamReport report) {
    return "stream %d: %s; sent %s, received %s, sent again %s, pipes lost %d, longest stall %.0f ms"
        .formatted(
            stream,
            report.ending().isEmpty() ? "complete" : "reset, " + report.ending(),
            DataSize.format(report.sent()),
            DataSize.format(report.received()),
            DataSize.format(report.sentAgain()),
            report.pipesLost(),
            report.longestStallMillis());
  }

  /** Converts {@code round-robin} and the like. */
  static final class SchedulerName extends ParsedOption<Scheduler> {
    SchedulerName() {
      super(constant(Scheduler.class, "earliest, round-robin or duplicate"));
    }
  }

  /**
   * Converts an address like {@link ReceiveVerb.ListenAddress}, but a port alone means loopback.
   */
  static final class LocalAddress implements ITypeConverter<InetSocketAddress> {
    private final ReceiveVerb.ListenAddress everywhere = new ReceiveVerb.ListenAddress();

    @Override
    public InetSocketAddress convert(String value) {
      return everywhere.convert(value.indexOf(':') < 0 ? "127.0.0.1:" + value : value);
    }
  }
}
