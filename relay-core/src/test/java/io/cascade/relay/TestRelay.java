package io.cascade.relay;

import io.cascade.relay.proxy.ProxySettings;
import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.tls.TlsLibrary;
import io.cascade.relay.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A relay of this process on free ports of the loopback, as all are here but for what is said. */
public final class TestRelay {
  private final Transport transport;
  private PumpMode pump = PumpMode.AUTO;
  private HopSecurity security = HopSecurity.OPTIONAL;
  private TlsLibrary tls = TlsLibrary.AUTO;
  private int eventLoops = 2;
  private long memoryBytes = 64 << 20;
  private int maxStreams = 10_000;
  private @Nullable URI orchestrator;
  private @Nullable Path handOver;
  private ProxySettings proxies = ProxySettings.NONE;
  private long testBudgetBytes = RelaySettings.DEFAULT_TEST_BUDGET_BYTES;

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

  TestRelay orchestrator(URI address) {
    orchestrator = address;
    return this;
  }

  /** Where it meets its predecessor and its successor. */
  TestRelay handOver(Path meeting) {
    handOver = meeting;
    return this;
  }

  /** With SOCKS5, CONNECT or destinations of their streams. */
  TestRelay proxies(ProxySettings settings) {
    proxies = settings;
    return this;
  }

  /** What throughput tests may move in an hour. */
  TestRelay testBudget(long bytes) {
    testBudgetBytes = bytes;
    return this;
  }

  public RelayNode start(String name) throws IOException {
    return RelayNode.start(
        new RelaySettings(
            name,
            "desk",
            InetAddress.getByName("127.0.0.1"),
            "127.0.0.1",
            0,
            0,
            null,
            orchestrator,
            null,
            transport,
            pump,
            security,
            tls,
            eventLoops,
            memoryBytes,
            maxStreams,
            Path.of(System.getProperty("java.io.tmpdir"), "cascade-test-spool"),
            null,
            null,
            Duration.ZERO,
            handOver,
            proxies,
            testBudgetBytes));
  }
}
