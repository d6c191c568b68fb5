package io.cascade.relay;

import io.cascade.api.HostPort;
import io.cascade.command.Complaint;
import io.cascade.command.DataSize;
import io.cascade.command.ListenFailure;
import io.cascade.command.StateHome;
import io.cascade.command.TimeSpan;
import io.cascade.command.Version;
import io.cascade.relay.RelaySettings.PortRange;
import io.cascade.relay.proxy.ProxySettings;
import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.socket.KernelLimits;
import io.cascade.relay.tls.TlsLibrary;
import io.cascade.relay.transport.CongestionControls;
import io.cascade.relay.transport.Transport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code cascade relay}: runs one relay until it is told to stop. */
@Command(
    name = "relay",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Runs a relay until SIGTERM or Ctrl-C, then lets running streams end; a second signal ends it"
          + " at once.",
      ""
    },
    footer = {
      "",
      "Every option can also be set in the environment (--hop-port is CASCADE_HOP_PORT) or in the"
          + " configuration file (hop-port=7411). Give the token there: everybody on the machine"
          + " sees command lines.",
      "",
      "Example: a relay that an orchestrator elsewhere uses",
      "  CASCADE_TOKEN=... cascade relay --name r1 --site berlin --listen 0.0.0.0 \\",
      "      --orchestrator http://orchestrator.example:7400"
    })
public final class RelayCommand implements Callable<Integer> {
  private static final Logger LOG = Logger.getLogger(RelayCommand.class.getName());
  private static final String LOG_FORMAT = "java.util.logging.SimpleFormatter.format";

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Unique name: a-z, 0-9 and -. Default: this machine's host name.")
  private @Nullable String name;

  @Option(
      names = "--site",
      paramLabel = "SITE",
      defaultValue = "default",
      description = "Where the relay stands, such as a city. Default: ${DEFAULT-VALUE}.")
  private String site = "default";

  @Option(
      names = "--orchestrator",
      paramLabel = "URL",
      description = "Orchestrator to register with, such as http://HOST:7400. Default: none.")
  private @Nullable URI orchestrator;

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description = {
        "Local address to listen on, 0.0.0.0 for all. Default: ${DEFAULT-VALUE}."
            + " Anything but loopback needs --token."
      })
  private String listen = "127.0.0.1";

  @Option(
      names = "--advertise",
      paramLabel = "HOST",
      description = {
        "Host by which others reach this relay. Default: the listen address, or where that is"
            + " 0.0.0.0 the local address that routes to the orchestrator."
      })
  private @Nullable String advertise;

  @Option(
      names = "--hop-port",
      paramLabel = "PORT",
      defaultValue = "" + RelaySettings.DEFAULT_HOP_PORT,
      description = {
        "Port for other relays: TCP for streams, UDP for link probes; 0 takes a free one."
            + " Default: ${DEFAULT-VALUE}."
      })
  private int hopPort = RelaySettings.DEFAULT_HOP_PORT;

  @Option(
      names = "--control-port",
      paramLabel = "PORT",
      defaultValue = "" + RelaySettings.DEFAULT_CONTROL_PORT,
      description = {
        "Port for the orchestrator and for /control/v1/metrics; 0 takes a free one."
            + " Default: ${DEFAULT-VALUE}."
      })
  private int controlPort = RelaySettings.DEFAULT_CONTROL_PORT;

  @Option(
      names = "--ingress-ports",
      paramLabel = "FIRST-LAST",
      converter = PortRangeConverter.class,
      description = "Ports that chains may open here, such as 20000-20999. Default: any.")
  private @Nullable PortRange ingressPorts;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description = "Shared secret of orchestrator and relays. Default: none, on loopback only.")
  private @Nullable String token;

  @Option(
      names = "--transport",
      paramLabel = "KIND",
      defaultValue = "auto",
      converter = TransportConverter.class,
      description = "auto, epoll or nio. Default: ${DEFAULT-VALUE}.")
  private Transport transport = Transport.NIO;

  @Option(
      names = "--pump",
      paramLabel = "KIND",
      defaultValue = "auto",
      converter = PumpModeConverter.class,
      description = {
        "How bytes are moved: copy, through buffers; splice, through pipes in the kernel, where the"
            + " transport is epoll; auto, through buffers until an event loop is busy,"
            + " then its bulk through pipes. Default: ${DEFAULT-VALUE}."
      })
  private PumpMode pump = PumpMode.AUTO;

  @Option(
      names = "--hop-security",
      paramLabel = "KIND",
      defaultValue = "optional",
      converter = HopSecurityConverter.class,
      description = {
        "Whether connections to and from other relays are encrypted: tls always, optional when a"
            + " chain asks for it, plain never. Default: ${DEFAULT-VALUE}."
      })
  private HopSecurity hopSecurity = HopSecurity.OPTIONAL;

  @Option(
      names = "--tls-library",
      paramLabel = "KIND",
      defaultValue = "auto",
      converter = TlsLibraryConverter.class,
      description = {
        "Whose TLS encrypts the hops: boringssl, which takes less of the processor; jdk; auto,"
            + " boringssl where this machine can load it. Default: ${DEFAULT-VALUE}."
      })
  private TlsLibrary tlsLibrary = TlsLibrary.AUTO;

  @Option(
      names = "--event-loops",
      paramLabel = "N",
      description = "Threads that move the data. Default: one for each processor.")
  private @Nullable Integer eventLoops;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "256MiB",
      converter = DataSize.Converter.class,
      description = "The most stream bytes held at a time. Default: ${DEFAULT-VALUE}.")
  private DataSize memory = new DataSize(RelaySettings.DEFAULT_MEMORY_BUDGET_BYTES);

  @Option(
      names = "--max-streams",
      paramLabel = "N",
      defaultValue = "" + RelaySettings.DEFAULT_MAX_STREAMS,
      description = "The most streams at a time. Default: ${DEFAULT-VALUE}.")
  private int maxStreams = RelaySettings.DEFAULT_MAX_STREAMS;

  @Option(
      names = "--spool-dir",
      paramLabel = "DIR",
      description =
          "Where store-and-forward keeps its files. Default: cascade-NAME in the temporary files.")
  private @Nullable Path spoolDir;

  @Option(
      names = "--capacity",
      paramLabel = "RATE",
      converter = BitRateConverter.class,
      description =
          "What this relay can carry, such as 100Mbit, for the planner. Default: unknown.")
  private @Nullable Long capacity;

  @Option(
      names = "--price-per-gib",
      paramLabel = "PRICE",
      description = "What a GiB through this relay costs, for the planner. Default: unknown.")
  private @Nullable Double pricePerGib;

  @Option(
      names = "--test-budget",
      paramLabel = "SIZE",
      defaultValue = "256MiB",
      converter = DataSize.Converter.class,
      description = {
        "The most bytes that throughput tests to and from other relays move in any hour; 0 for no"
            + " tests. Default: ${DEFAULT-VALUE}."
      })
  private DataSize testBudget = new DataSize(RelaySettings.DEFAULT_TEST_BUDGET_BYTES);

  @Option(
      names = "--controls",
      paramLabel = "LIST",
      split = ",",
      description = {
        "Congestion controls that plans, chains and throughput tests may use here, such as"
            + " reno,cubic. Where the system's default is not among them, the first one is used"
            + " instead. Default: reno, cubic and bbr, as far as the kernel offers them."
      })
  private @Nullable List<String> controls;

  @Option(
      names = "--drain",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description =
          "How long running streams may take to end at a stop. Default: ${DEFAULT-VALUE}.")
  private int drain = (int) RelaySettings.DEFAULT_DRAIN.toSeconds();

  @Option(
      names = "--serve-alone",
      paramLabel = "DURATION",
      defaultValue = "7d",
      converter = ServeAloneConverter.class,
      description = {
        "How long chains go on taking streams while the orchestrator is away, counted from the last"
            + " contact with it, such as 12h; 0 until their leases run out."
            + " Default: ${DEFAULT-VALUE}."
      })
  private Duration serveAlone = RelaySettings.DEFAULT_SERVE_ALONE;

  @Option(
      names = "--hand-over",
      paramLabel = "PATH",
      description = {
        "Unix socket of this relay. Started while another process of the same relay listens there,"
            + " this one takes its place: ports, chains, name and what 'tune' set, without a"
            + " connection lost. The other one ends with its last stream. Default: none."
      })
  private @Nullable Path handOver;

  @Option(
      names = "--socks",
      paramLabel = "HOST:PORT",
      description = {
        "Speak SOCKS5 here; names are resolved at the end of the way. Port 0 takes a free one."
            + " Default: none."
      })
  private @Nullable String socks;

  @Option(
      names = "--http-connect",
      paramLabel = "HOST:PORT",
      description = "Speak HTTP CONNECT here. Default: none.")
  private @Nullable String httpConnect;

  @Option(
      names = "--allow-destination",
      paramLabel = "RULE",
      split = ",",
      description = {
        "Where clients of --socks and --http-connect may go, and where chains may end beyond public"
            + " addresses: *, HOST, *.DOMAIN or addresses such as 10.0.0.0/8, each with :PORT where"
            + " not all are meant. A chain to a private network needs a rule of its addresses or"
            + " of the host's name; loopback, link-local and metadata addresses need a rule of"
            + " their addresses, such as 127.0.0.0/8. Default: proxies go nowhere; chains end at"
            + " public addresses, and at loopback where --listen is loopback."
      })
  private List<String> allowDestination = new ArrayList<>();

  @Option(
      names = "--allow-source",
      paramLabel = "CIDR",
      split = ",",
      description = {
        "Whose connections --socks and --http-connect take, such as 10.0.0.0/8. Default: anybody"
            + " with --credentials; otherwise they open on loopback only."
      })
  private List<String> allowSource = new ArrayList<>();

  @Option(
      names = "--credentials",
      paramLabel = "FILE",
      description = {
        "Ask clients of --socks and --http-connect for user and password: lines USER:HASH, with a"
            + " HASH by openssl passwd -6. Default: nobody is asked."
      })
  private @Nullable Path credentials;

  @Option(
      names = "--identity",
      paramLabel = "FILE",
      description = {
        "The relay's key, by which the orchestrator knows it, and a count of its starts; made where"
            + " missing. Keep it: another key does not get the relay's name."
            + " Default: relays/NAME.identity in $XDG_STATE_HOME/cascade or ~/.local/state/cascade."
      })
  private @Nullable Path identity;

  @Override
  public Integer call() throws InterruptedException {
    if (System.getProperty(LOG_FORMAT) == null) {
      System.setProperty(LOG_FORMAT, "%1$tFT%1$tT.%1$tL %4$s %5$s%6$s%n");
    }
    RelaySettings settings = settings();
    String shortage =
        DirectMemory.of(settings).shortage(settings.memoryBudgetBytes(), settings.maxStreams());
    if (shortage != null) {
      throw new CommandLine.ParameterException(line(), shortage);
    }
    KernelLimits.holdingBack(
            settings.capacityBitsPerSecond(), settings.maxStreams(), splicingLoops(settings))
        .forEach(LOG::warning);
    try (RelayNode node = start(settings)) {
      StopSignals.install(node);
      PrintWriter out = line().getOut();
      out.println(readyLine(node, settings));
      out.flush();
      node.awaitTermination();
      return node.isSuperseded() ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }
  }

  private static int splicingLoops(RelaySettings settings) {
    boolean splices = settings.transport().isNative() && settings.pump() != PumpMode.COPY;
    return splices ? settings.eventLoops() : 0;
  }

  /** What launchers and tests wait for. */
  static String readyLine(RelayNode node, RelaySettings settings) {
    return "cascade relay "
        + settings.name()
        + " ready: control http://"
        + reachable(node.controlAddress(), settings)
        + ", hop "
        + reachable(node.hopAddress(), settings)
        + proxy(", socks ", node.socksAddress(), settings)
        + proxy(", http connect ", node.connectAddress(), settings);
  }

  private static String proxy(String what, @Nullable InetSocketAddress at, RelaySettings settings) {
    return at == null ? "" : what + reachable(at, settings);
  }

  /** What the options say, checked. */
  RelaySettings settings() {
    String relay = name == null ? HostName.asRelayName() : name;
    try {
      InetAddress address = address(listen);
      RelaySettings settings =
          new RelaySettings(
              relay,
              site,
              address,
              advertise == null ? advertised(address, orchestrator) : advertise,
              hopPort,
              controlPort,
              ingressPorts,
              orchestrator,
              token,
              transport,
              pump,
              hopSecurity,
              tlsLibrary,
              eventLoops == null ? Runtime.getRuntime().availableProcessors() : eventLoops,
              memory.bytes(),
              maxStreams,
              spoolDir == null ? temporary(relay) : spoolDir,
              capacity,
              pricePerGib,
              Duration.ofSeconds(drain),
              handOver,
              proxies(),
              identity == null
                  ? StateHome.cascade().resolve("relays").resolve(relay + ".identity")
                  : identity,
              serveAlone,
              testBudget.bytes(),
              CongestionControls.of(transport, controls));
      LOG.log(Level.FINE, "{0}", settings);
      return settings;
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(line(), String.valueOf(e.getMessage()), e);
    }
  }

  private ProxySettings proxies() {
    return new ProxySettings(
        socks == null ? null : proxyAddress("socks", socks),
        httpConnect == null ? null : proxyAddress("http connect", httpConnect),
        allowSource,
        allowDestination,
        credentials);
  }

  private static InetSocketAddress proxyAddress(String option, String text) {
    int colon = text.lastIndexOf(':');
    try {
      int port = colon < 1 ? -1 : Integer.parseInt(text.substring(colon + 1));
      String host = text.substring(0, Math.max(colon, 0)).replace("[", "").replace("]", "");
      if (port >= 0 && port <= 65_535 && !host.isBlank()) {
        return new InetSocketAddress(InetAddress.getByName(host), port);
      }
    } catch (NumberFormatException | UnknownHostException e) {
      // said below
    }
    throw new IllegalArgumentException(
        option + ": '" + text + "' (expected: HOST:PORT, such as 127.0.0.1:1080)");
  }

  private CommandLine line() {
    if (spec == null) {
      throw new IllegalStateException("not made by picocli");
    }
    return spec.commandLine();
  }

  private static RelayNode start(RelaySettings settings) {
    try {
      return RelayNode.start(settings);
    } catch (IOException e) {
      throw new Complaint("the relay cannot start: " + ListenFailure.words(e), e);
    }
  }

  private static InetAddress address(String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "listen: " + host + " has no address (expected: a local address, or 0.0.0.0)", e);
    }
  }

  private static String advertised(InetAddress listen, @Nullable URI orchestrator) {
    if (!listen.isAnyLocalAddress()) {
      return listen.getHostAddress();
    }
    if (orchestrator == null || orchestrator.getHost() == null) {
      return HostName.address();
    }
    // Connecting a UDP socket sends nothing; it asks the routing table.
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(new InetSocketAddress(InetAddress.getByName(bare(orchestrator)), 9));
      return socket.getLocalAddress().getHostAddress();
    } catch (UnknownHostException | SocketException | UncheckedIOException e) {
      throw new IllegalArgumentException(
          "advertise: no route to "
              + orchestrator.getHost()
              + " tells this relay's address (expected: --advertise HOST)",
          e);
    }
  }

  private static String bare(URI uri) {
    return uri.getHost().replace("[", "").replace("]", "");
  }

  private static Path temporary(String relay) {
    return Path.of(System.getProperty("java.io.tmpdir", "/tmp"), "cascade-" + relay);
  }

  private static String reachable(InetSocketAddress address, RelaySettings settings) {
    boolean all = address.getAddress().isAnyLocalAddress();
    String host = all ? settings.advertise() : address.getAddress().getHostAddress();
    return new HostPort(host, address.getPort()).toString();
  }

  /** What this machine is called. */
  static final class HostName {
    private static final Path FILE = Path.of("/etc/hostname");

    private HostName() {}

    static String asRelayName() {
      return sanitised(read());
    }

    /** The first label with all that a relay's name does not take replaced by hyphens. */
    static String sanitised(String host) {
      String label = host.strip().toLowerCase(Locale.ROOT).replaceFirst("\\..*", "");
      String hyphened = label.replaceAll("[^a-z0-9]+", "-");
      String cut = hyphened.substring(0, Math.min(63, hyphened.length()));
      String trimmed = cut.replaceAll("^-+|-+$", "");
      return trimmed.isEmpty() ? "relay" : trimmed;
    }

    static String address() {
      try {
        return InetAddress.getLocalHost().getHostAddress();
      } catch (UnknownHostException e) {
        return InetAddress.getLoopbackAddress().getHostAddress();
      }
    }

    private static String read() {
      try {
        return Files.readString(FILE);
      } catch (IOException e) {
        return hostName();
      }
    }

    private static String hostName() {
      try {
        return InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException e) {
        return "";
      }
    }
  }

  /**
   * SIGTERM and SIGINT: the first begins the drain, the second ends the process.
   *
   * <p>They are handled here and not in a shutdown hook because the JVM ignores a second signal
   * while hooks run, and takes away the log's handlers meanwhile; a drain must be able to log. The
   * class behind it is reached by reflection: javac warns of {@code sun.misc} and cannot be told
   * not to. Where it is missing or not allowed ({@code -Xrs}), a shutdown hook stands in.
   */
  static final class StopSignals {
    private final RelayNode node;
    private final AtomicBoolean stopping = new AtomicBoolean();

    private StopSignals(RelayNode node) {
      this.node = node;
    }

    static void install(RelayNode node) {
      StopSignals signals = new StopSignals(node);
      try {
        signals.handle("TERM", 128 + 15);
        signals.handle("INT", 128 + 2);
      } catch (ReflectiveOperationException | RuntimeException e) {
        LOG.log(Level.FINE, "signals cannot be handled: {0}", e.toString());
        Runtime.getRuntime().addShutdownHook(new Thread(node::close, "drain"));
      }
    }

    private void handle(String signal, int exitCode) throws ReflectiveOperationException {
      Class<?> type = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      IntConsumer received = this::received;
      MethodHandle action =
          MethodHandles.insertArguments(
              MethodHandles.publicLookup()
                  .findVirtual(
                      IntConsumer.class, "accept", MethodType.methodType(void.class, int.class))
                  .bindTo(received),
              0,
              exitCode);
      Object handler =
          MethodHandleProxies.asInterfaceInstance(
              handlerType, MethodHandles.dropArguments(action, 0, type));
      type.getMethod("handle", type, handlerType)
          .invoke(null, type.getConstructor(String.class).newInstance(signal), handler);
    }

    private void received(int exitCode) {
      if (!stopping.compareAndSet(false, true)) {
        LOG.info("a second signal: ending at once");
        Runtime.getRuntime().halt(exitCode);
      }
      LOG.log(
          Level.INFO,
          "stopping: running streams have {0} s to end; a second signal ends at once",
          Long.toString(node.drain().toSeconds()));
      Thread.ofPlatform().name("drain").start(node::close);
    }
  }

  static final class PortRangeConverter implements ITypeConverter<PortRange> {
    @Override
    public PortRange convert(String value) {
      return converted(() -> PortRange.parse(value));
    }
  }

  static final class TransportConverter implements ITypeConverter<Transport> {
    @Override
    public Transport convert(String value) {
      return switch (value.strip().toLowerCase(Locale.ROOT)) {
        case "auto" -> Transport.best();
        case "epoll" -> Transport.EPOLL;
        case "nio" -> Transport.NIO;
        default ->
            throw new TypeConversionException("'" + value + "' (expected: auto, epoll or nio)");
      };
    }
  }

  /** The name of a way to move bytes. */
  static final class PumpModeConverter implements ITypeConverter<PumpMode> {
    @Override
    public PumpMode convert(String value) {
      return switch (value.strip().toLowerCase(Locale.ROOT)) {
        case "auto" -> PumpMode.AUTO;
        case "copy" -> PumpMode.COPY;
        case "splice" -> PumpMode.SPLICE;
        default ->
            throw new TypeConversionException("'" + value + "' (expected: auto, copy or splice)");
      };
    }
  }

  /** A length of time, or none. */
  static final class ServeAloneConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String value) {
      return value.strip().equals("0")
          ? Duration.ZERO
          : Duration.ofMillis(Math.round(converted(() -> TimeSpan.parse(value)).seconds() * 1_000));
    }
  }

  static final class TlsLibraryConverter implements ITypeConverter<TlsLibrary> {
    @Override
    public TlsLibrary convert(String value) {
      return switch (value.strip().toLowerCase(Locale.ROOT)) {
        case "auto" -> TlsLibrary.AUTO;
        case "boringssl" -> TlsLibrary.BORINGSSL;
        case "jdk" -> TlsLibrary.JDK;
        default ->
            throw new TypeConversionException("'" + value + "' (expected: auto, boringssl or jdk)");
      };
    }
  }

  static final class HopSecurityConverter implements ITypeConverter<HopSecurity> {
    @Override
    public HopSecurity convert(String value) {
      return switch (value.strip().toLowerCase(Locale.ROOT)) {
        case "plain" -> HopSecurity.PLAIN;
        case "optional" -> HopSecurity.OPTIONAL;
        case "tls" -> HopSecurity.TLS;
        default ->
            throw new TypeConversionException("'" + value + "' (expected: tls, optional or plain)");
      };
    }
  }

  /** Bits a second; units count by 1,000. */
  static final class BitRateConverter implements ITypeConverter<Long> {
    private static final Pattern FORM =
        Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*([kmgt]?)(?:bit|bit/s|bps)?");

    @Override
    public Long convert(String value) {
      Matcher form = FORM.matcher(value.strip().toLowerCase(Locale.ROOT));
      if (!form.matches()) {
        throw new TypeConversionException("'" + value + "' (expected: a rate such as 100Mbit)");
      }
      int power = form.group(2).isEmpty() ? 0 : "kmgt".indexOf(form.group(2)) + 1;
      return Math.round(Double.parseDouble(form.group(1)) * Math.pow(1_000, power));
    }
  }

  private static <T> T converted(Supplier<T> parsing) {
    try {
      return parsing.get();
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
