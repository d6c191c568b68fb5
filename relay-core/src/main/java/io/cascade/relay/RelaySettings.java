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
 * Settings with which a relay starts. Error messages are single lines that name the mistake and the
 * expected form.
 *
 * @param name unique among the orchestrator's relays: lower-case letters, digits and hyphens
 * @param site name that the operator gives to the relay's location
 * @param listen local address of the hop port and, unless set otherwise, of ingress ports
 * @param advertise host by which other relays and the orchestrator reach this one
 * @param hopPort TCP for hops, and UDP for link probes and coded sessions; 0 chooses a free one
 * @param controlListen local address of the control port, for tools and Prometheus: the
 *     orchestrator calls over a connection that the relay opens
 * @param controlPort 0 chooses a free one
 * @param ingressPorts the only ports that chains may open; null for any
 * @param balancers load balancers that send their clients' addresses by the PROXY protocol to
 *     ingress ports and proxies
 * @param orchestrators of which one leads, each with the pins of its keys ({@link ServerAddress});
 *     empty for a relay that is run by hand
 * @param token that control calls must present and that is sent to the orchestrator, or an API key
 *     of the relay; null only for a relay that listens on loopback
 * @param pump how streams' bytes are moved
 * @param hopSecurity whether hops are encrypted
 * @param tlsLibrary the TLS library that encrypts them
 * @param eventLoops number of threads of the data plane
 * @param memoryBudgetBytes most stream bytes held at a time
 * @param maxStreams most concurrent streams
 * @param spoolDir folder of the files of store-and-forward
 * @param capacityBitsPerSecond the relay's capacity according to its operator
 * @param drain time that running streams have to finish when the relay is stopped
 * @param handOver path of the Unix socket over which a process replaces that of a running relay,
 *     and is replaced itself; null for neither
 * @param proxies ports where applications name their destination
 * @param identity file with the key by which the orchestrator identifies the relay; read and
 *     written only if there is an orchestrator
 * @param serveAlone how long parts whose lease has expired go on taking streams, counted from the
 *     last contact with the orchestrator; 0 for not at all
 * @param testBudgetBytes bytes that throughput tests may send and receive in any hour; 0 for none
 * @param controls congestion controls that chains and throughput tests may request
 * @param rendezvous the port where two ends meet that both dial out
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
        "jdk or auto, since this machine has no other");
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
        "--transport epoll, since no other can take over a socket");
  }

  /** The token that control calls must present; null for none. */
  @Nullable String controlToken() {
    return token == null ? null : token.ofControlCalls();
  }

  /** The token that is sent to the orchestrator; null for none. */
  @Nullable String tokenText() {
    return token == null ? null : token.text();
  }

  /** Whether hosts that reach the relay's other ports also reach its control port. */
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
