package io.cascade.relay;

import io.cascade.api.HostPort;
import io.cascade.carriage.socket.KernelLimits;
import io.cascade.carriage.transport.CongestionControls;
import io.cascade.command.CommandException;
import io.cascade.command.FirstOptions;
import io.cascade.command.ListenFailure;
import io.cascade.command.Version;
import io.cascade.command.names.Loopback;
import io.cascade.kernel.ServiceNotice;
import io.cascade.relay.balancer.Balancers;
import io.cascade.relay.pump.PumpMode;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs one relay until it is stopped: {@code cascade relay}. */
@FirstOptions({"--name", "--site", "--orchestrator", "--listen", "--advertise"})
@Command(
    name = "relay",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Run a relay until SIGTERM or Ctrl-C, then wait for running streams to end; a second signal"
          + " ends it at once."
    },
    footer = {
      "",
      "Every option can also be set in the environment (--hop-port is CASCADE_HOP_PORT) or in the"
          + " configuration file (hop-port=7411). Set the token there: every user of the machine"
          + " can read command lines.",
      "",
      "Example: a relay that an orchestrator elsewhere invited (cascade invite prints the line)",
      "  cascade relay --listen 0.0.0.0 --join cin_..."
    })
public final class RelayCommand implements Callable<Integer> {
  private static final Logger LOG = Logger.getLogger(RelayCommand.class.getName());
  private static final String LOG_FORMAT = "java.util.logging.SimpleFormatter.format";

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final NetworkOptions network = new NetworkOptions();
  @Mixin private final RegistrationOptions registration = new RegistrationOptions();
  @Mixin private final DataPlaneOptions dataPlane = new DataPlaneOptions();
  @Mixin private final LimitOptions limits = new LimitOptions();
  @Mixin private final LifecycleOptions lifecycle = new LifecycleOptions();
  @Mixin private final ProxyOptions proxies = new ProxyOptions();
  @Mixin private final RendezvousOptions rendezvous = new RendezvousOptions();

  @Override
  public Integer call() throws InterruptedException {
    if (System.getProperty(LOG_FORMAT) == null) {
      System.setProperty(LOG_FORMAT, "%1$tFT%1$tT.%1$tL %4$s %5$s%6$s%n");
    }
    RelaySettings settings = settings();
    String unreachable = unreachable(settings);
    if (unreachable != null) {
      throw new CommandLine.ParameterException(line(), unreachable);
    }
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
      tellServiceManager();
      node.awaitTermination();
      return node.isSuperseded() ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }
  }

  /**
   * Returns the reason why peers cannot reach this relay; null if they can, or if its orchestrator
   * is on this host. A peer on another host that was given a loopback address would measure its own
   * host instead of the relay.
   */
  static @Nullable String unreachable(RelaySettings settings) {
    boolean elsewhere =
        settings.orchestrators().stream()
            .anyMatch(one -> one.getHost() != null && !Loopback.isHost(one.getHost()));
    if (!elsewhere || !Loopback.isHost(settings.advertise())) {
      return null;
    }
    return ("advertise: %s means the local host on every other machine (expected: an address that"
            + " other relays and clients reach, by %s--advertise HOST)")
        .formatted(
            settings.advertise(),
            settings.listen().isAnyLocalAddress() ? "" : "--listen 0.0.0.0 or ");
  }

  private static void tellServiceManager() {
    try {
      ServiceNotice.sendIfThereIsOne(ServiceNotice.READY);
    } catch (IOException e) {
      LOG.log(Level.WARNING, "the service manager was not notified: {0}", e.getMessage());
    }
  }

  private static int splicingLoops(RelaySettings settings) {
    boolean splices = settings.transport().isNative() && settings.pump() != PumpMode.COPY;
    return splices ? settings.eventLoops() : 0;
  }

  /** Returns the line that launchers and tests wait for. */
  static String readyLine(RelayNode node, RelaySettings settings) {
    return "cascade relay "
        + settings.name()
        + " ready: control http://"
        + reachable(node.controlAddress(), settings)
        + ", hop "
        + reachable(node.hopAddress(), settings)
        + proxy(", socks ", node.socksAddress(), settings)
        + proxy(", http connect ", node.connectAddress(), settings)
        + proxy(", rendezvous ", node.rendezvousAddress(), settings);
  }

  private static String proxy(String what, @Nullable InetSocketAddress at, RelaySettings settings) {
    return at == null ? "" : what + reachable(at, settings);
  }

  /**
   * Returns the settings by the options.
   *
   * @throws CommandLine.ParameterException if the options are invalid
   */
  RelaySettings settings() {
    try {
      RelaySettings settings = checked();
      LOG.log(Level.FINE, "{0}", settings);
      return settings;
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(line(), String.valueOf(e.getMessage()), e);
    }
  }

  private RelaySettings checked() {
    registration.enrol();
    String name = registration.relayName();
    InetAddress address = network.address();
    return new RelaySettings(
        name,
        registration.site(),
        address,
        network.advertised(address, registration.orchestrators()),
        network.hopPort,
        NetworkOptions.address("control listen", network.controlListen),
        network.controlPort,
        network.ingressPorts,
        Balancers.parse(network.balancers),
        registration.orchestrators(),
        registration.token(),
        dataPlane.transport,
        dataPlane.pump,
        dataPlane.hopSecurity,
        dataPlane.tlsLibrary,
        dataPlane.eventLoops(),
        limits.memory.bytes(),
        limits.maxStreams,
        limits.spoolDir(name),
        registration.capacityBitsPerSecond(),
        registration.pricePerGib,
        Duration.ofSeconds(lifecycle.drain),
        lifecycle.handOver,
        proxies.settings(),
        registration.identityFile(),
        registration.serveAlone,
        limits.testBudget.bytes(),
        CongestionControls.of(dataPlane.transport, limits.controls),
        rendezvous.settings(address));
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
      throw new CommandException("the relay cannot start: " + ListenFailure.words(e), e);
    }
  }

  private static String reachable(InetSocketAddress address, RelaySettings settings) {
    boolean all = address.getAddress().isAnyLocalAddress();
    String host = all ? settings.advertise() : address.getAddress().getHostAddress();
    return new HostPort(host, address.getPort()).toString();
  }
}
