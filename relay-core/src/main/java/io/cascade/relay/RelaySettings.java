package io.cascade.relay;

import io.cascade.api.Validation;
import io.cascade.api.client.ServerAddress;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.carriage.tls.TlsLibrary;
import io.cascade.carriage.transport.CongestionControls;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.balancer.Balancers;
import io.cascade.relay.chain.PortRange;
import io.cascade.relay.proxy.ProxySettings;
import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.rendezvous.RendezvousSettings;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a relay is told when it starts. Messages of its errors are single lines that name
 * what is wrong and what is expected.
 *
 * @param name unique among the orchestrator's relays: lower-case letters, digits and hyphens
 * @param site where the relay stands, as its operator calls it
 * @param listen local address of the hop port and, unless told otherwise, ingress ports
 * @param advertise host by which other relays and the orchestrator reach this one
 * @param hopPort TCP for hops and UDP for link probes; 0 takes a free one
 * @param controlListen local address of the control port, for tools and Prometheus: the
 *     orchestrator calls over a connection that the relay opens
 * @param controlPort 0 takes a free one
 * @param ingressPorts the only ones that chains may open; any where null
 * @param balancers that say by the PROXY protocol who their clients are, at ingress ports and
 *     proxies
 * @param orchestrators of which one leads, each with the pins of its keys ({@link ServerAddress});
 *     none for a relay that is run by hand
 * @param token what control calls must bring and what the orchestrator is shown, or an API key of
 *     the relay's own; only a relay that listens on loopback may do without
 * @param pump how streams' bytes are moved
 * @param hopSecurity whether hops are encrypted
 * @param tlsLibrary whose TLS encrypts them
 * @param eventLoops threads of the data plane
 * @param memoryBudgetBytes the most stream bytes held at a time
 * @param maxStreams the most streams at a time
 * @param spoolDir where store-and-forward keeps its files
 * @param capacityBitsPerSecond what the operator says the relay can carry
 * @param drain how long running streams may take to end when the relay is stopped
 * @param handOver path of the Unix socket by which a process takes the place of a running relay,
 *     and lets another one take its own; null for neither
 * @param proxies ports where applications name their destination themselves
 * @param identity file with the key by which the orchestrator knows the relay; read and written
 *     only where there is an orchestrator
 * @param serveAlone how long parts whose lease has run out go on taking streams, counted from the
 *     last contact with the orchestrator; 0 not at all
 * @param testBudgetBytes that throughput tests may move in any hour, sent and received; 0 for none
 * @param controls congestion controls that chains and throughput tests may ask for
 * @param rendezvous where ends meet that both dial out
 */
public record RelaySettings(
    String name,
    String site,
    InetAddress listen,
    String advertise,
    int hopPort,
    InetAddress controlListen,
    int controlPort,
    @Nullable PortRange ingressPorts,
    Balancers balancers,
    List<URI> orchestrators,
    @Nullable Token token,
    Transport transport,
    PumpMode pump,
    HopSecurity hopSecurity,
    TlsLibrary tlsLibrary,
    int eventLoops,
    long memoryBudgetBytes,
    int maxStreams,
    Path spoolDir,
    @Nullable Long capacityBitsPerSecond,
    @Nullable Double pricePerGib,
    Duration drain,
    @Nullable Path handOver,
    ProxySettings proxies,
    Path identity,
    Duration serveAlone,
    long testBudgetBytes,
    CongestionControls controls,
    RendezvousSettings rendezvous) {

  public static final int DEFAULT_HOP_PORT = 7411;
  public static final int DEFAULT_CONTROL_PORT = 7412;
  public static final long DEFAULT_MEMORY_BUDGET_BYTES = 256L << 20;
  public static final int DEFAULT_MAX_STREAMS = 10_000;
  public static final long DEFAULT_TEST_BUDGET_BYTES = 256L << 20;
  public static final Duration DEFAULT_DRAIN = Duration.ofSeconds(25);
  public static final Duration DEFAULT_SERVE_ALONE = Duration.ofDays(7);
  private static final Duration LONGEST_ALONE = Duration.ofDays(3_650);

  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "::1", "localhost");
  private static final long LEAST_MEMORY = 1L << 20;

  public RelaySettings {
    expect(NAME.matcher(name).matches(), "name", "'" + name + "'", "a-z, 0-9 and -, at most 63");
    expect(!site.isBlank() && site.length() <= 63, "site", "'" + site + "'", "1 to 63 characters");
    expect(
        Validation.violations(new Endpoint(advertise, 1)).isEmpty(),
        "advertise",
        "'" + advertise + "'",
        "a host name of letters, digits, hyphens and dots, without underscores, or an IP address;"
            + " a container whose name has an underscore can have a network alias");
    expectPort("hop port", hopPort);
    expectPort("control port", controlPort);
    expect(hopPort == 0 || hopPort != controlPort, "control port", controlPort, "not the hop port");
    try {
      orchestrators.forEach(ServerAddress::of);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("orchestrator: " + e.getMessage(), e);
    }
    expect(
        token != null || listen.isLoopbackAddress(),
        "listen",
        listen.getHostAddress() + " is open to the network and there is no token",
        "--token TOKEN, or --listen 127.0.0.1");
    expect(
        token != null || controlListen.isLoopbackAddress(),
        "control listen",
        controlListen.getHostAddress() + " is open to the network and there is no token",
        "--token TOKEN, or --control-listen 127.0.0.1");
    expect(transport.available(), "transport", transport, "one that this machine offers");
    expect(
        tlsLibrary.available(),
        "TLS library",
        tlsLibrary,
        "jdk, or auto, on machines for which there is none");
    expect(eventLoops >= 1 && eventLoops <= 1_024, "event loops", eventLoops, "1 to 1024");
    expect(memoryBudgetBytes >= LEAST_MEMORY, "memory", memoryBudgetBytes, "at least 1 MiB");
    expect(maxStreams >= 1 && maxStreams <= 1_000_000, "max streams", maxStreams, "1 to 1000000");
    expect(
        capacityBitsPerSecond == null || capacityBitsPerSecond >= 1,
        "capacity",
        String.valueOf(capacityBitsPerSecond),
        "at least 1 bit/s");
    expect(
        pricePerGib == null || (pricePerGib >= 0 && Double.isFinite(pricePerGib)),
        "price per GiB",
        String.valueOf(pricePerGib),
        "0 or more");
    expect(
        !drain.isNegative() && drain.compareTo(Duration.ofDays(1)) <= 0,
        "drain",
        drain,
        "0 s to a day");
    expect(
        !serveAlone.isNegative() && serveAlone.compareTo(LONGEST_ALONE) <= 0,
        "serve alone",
        serveAlone.toSeconds() + " s",
        "0 to 3650d");
    expect(
        handOver == null || transport.isNative(),
        "hand over",
        handOver + " with the " + transport + " transport",
        "--transport epoll, which alone can take over a socket");
  }

  /** What control calls must bring; null where nothing. */
  @Nullable String controlToken() {
    return token == null ? null : token.ofControlCalls();
  }

  /** What the orchestrator is shown; null where nothing. */
  @Nullable String tokenText() {
    return token == null ? null : token.text();
  }

  /** Whether whoever reaches the relay's other ports may reach its control port. */
  boolean isControlReachable() {
    return !controlListen.isLoopbackAddress() || LOOPBACK.contains(advertise);
  }

  private static void expectPort(String what, int port) {
    expect(port >= 0 && port <= 65_535, what, port, "0 to 65535");
  }

  private static void expect(boolean met, String what, Object found, String expected) {
    if (!met) {
      throw new IllegalArgumentException(what + ": " + found + " (expected: " + expected + ")");
    }
  }
}
