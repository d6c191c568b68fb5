package io.cascade.relay;

import io.cascade.carriage.tls.HopTls;
import io.cascade.carriage.tls.TlsLibrary;
import io.cascade.carriage.transport.CongestionControls;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.balancer.Balancers;
import io.cascade.relay.chain.RelayClock;
import io.cascade.relay.names.NameLookups;
import io.cascade.relay.proxy.ProxySettings;
import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.rendezvous.RendezvousLimits;
import io.cascade.relay.rendezvous.RendezvousSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A relay of this process on free ports of the loopback, as all are here but for what is said. */
public final class TestRelay {
  /** The spool of this process: the tests of several run side by side. */
  private static final Path SPOOL =
      Path.of("target", "spool", Long.toString(ProcessHandle.current().pid())).toAbsolutePath();

  /** Is never read, where there is no orchestrator. */
  private static final Path NO_IDENTITY = Path.of("/dev/null/identity");

  private final Transport transport;
  private PumpMode pump = PumpMode.AUTO;
  private HopSecurity security = HopSecurity.OPTIONAL;
  private TlsLibrary tls = TlsLibrary.AUTO;
  private int eventLoops = 2;
  private Duration installTimeout = Duration.ofSeconds(5);
  private long memoryBytes = 64 << 20;
  private int maxStreams = 10_000;
  private List<URI> orchestrators = List.of();
  private @Nullable Path handOver;
  private @Nullable Path identity;
  private ProxySettings proxies = ProxySettings.NONE;
  private RendezvousSettings rendezvous = RendezvousSettings.NONE;
  private RelayClock clock = RelayClock.system();
  private NameLookups.Resolver names = NameLookups.Resolver.SYSTEM;
  private Duration serveAlone = RelaySettings.DEFAULT_SERVE_ALONE;
  private String listen = "127.0.0.1";
  private @Nullable String token;
  private @Nullable List<String> controls;
  private long testBudgetBytes = RelaySettings.DEFAULT_TEST_BUDGET_BYTES;
  private Balancers balancers = Balancers.NONE;

  private TestRelay(Transport transport) {
    this.transport = transport;
  }

  public static TestRelay on(Transport transport) {
    return new TestRelay(transport);
  }

  public TestRelay pump(PumpMode mode) {
    pump = mode;
    return this;
  }

  public TestRelay hops(HopSecurity wanted) {
    security = wanted;
    return this;
  }

  public TestRelay tls(TlsLibrary library) {
    tls = library;
    return this;
  }

  /** Shortens the wait for parts that cannot be installed. */
  TestRelay installTimeout(Duration most) {
    installTimeout = most;
    return this;
  }

  TestRelay eventLoops(int count) {
    eventLoops = count;
    return this;
  }

  public TestRelay memory(long bytes) {
    memoryBytes = bytes;
    return this;
  }

  TestRelay maxStreams(int most) {
    maxStreams = most;
    return this;
  }

  /**
   * @param identityFile by which the orchestrator knows it
   */
  TestRelay orchestrator(URI address, Path identityFile) {
    orchestrators = List.of(address);
    identity = identityFile;
    return this;
  }

  /** The path at which it meets its predecessor and its successor. */
  TestRelay handOver(Path meeting) {
    handOver = meeting;
    return this;
  }

  /** Sets SOCKS5, CONNECT or destinations of their streams. */
  TestRelay proxies(ProxySettings settings) {
    proxies = settings;
    return this;
  }

  /** Load balancers that say who their clients are. */
  TestRelay balancers(String... sources) {
    balancers = Balancers.parse(List.of(sources));
    return this;
  }

  /** Finds the addresses of destinations. */
  TestRelay names(NameLookups.Resolver other) {
    names = other;
    return this;
  }

  TestRelay clock(RelayClock other) {
    clock = other;
    return this;
  }

  /** How long it serves without an orchestrator. */
  TestRelay serveAlone(Duration longest) {
    serveAlone = longest;
    return this;
  }

  /** Open to the network, and so with a token. */
  TestRelay listen(String address, String secret) {
    listen = address;
    token = secret;
    return this;
  }

  /** The congestion controls that its operator allows. */
  TestRelay controls(String... names) {
    controls = List.of(names);
    return this;
  }

  /** What throughput tests may move in an hour. */
  TestRelay testBudget(long bytes) {
    testBudgetBytes = bytes;
    return this;
  }

  /**
   * A port where ends meet, on the loopback.
   *
   * @param port 0 for a free one
   */
  public TestRelay rendezvous(int port, RendezvousLimits limits) {
    InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    rendezvous = new RendezvousSettings(at, limits);
    return this;
  }

  public RelayNode start(String name) throws IOException {
    return RelayNode.start(settings(name), new HopTls(name, tls), installTimeout, clock, names);
  }

  /** Whose TLS keys seal no more than so many bytes, where the library does not change them. */
  RelayNode startWithKeyLimit(String name, long keyLimitBytes) throws IOException {
    return RelayNode.start(
        settings(name), new HopTls(name, tls, keyLimitBytes), installTimeout, clock, names);
  }

  private RelaySettings settings(String name) throws IOException {
    return new RelaySettings(
        name,
        "desk",
        InetAddress.getByName(listen),
        "127.0.0.1",
        0,
        InetAddress.getLoopbackAddress(),
        0,
        null,
        balancers,
        orchestrators,
        token == null ? null : new Token(token),
        transport,
        pump,
        security,
        tls,
        eventLoops,
        memoryBytes,
        maxStreams,
        SPOOL,
        null,
        null,
        Duration.ZERO,
        handOver,
        proxies,
        identity == null ? NO_IDENTITY : identity,
        serveAlone,
        testBudgetBytes,
        CongestionControls.of(transport, controls),
        rendezvous);
  }
}
