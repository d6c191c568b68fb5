package io.cascade.relay;

import io.cascade.api.Json;
import io.cascade.api.client.RelayControlClient;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Egress;
import io.cascade.api.relay.HopInlet;
import io.cascade.api.relay.HopOptions;
import io.cascade.api.relay.HopOutlet;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.PartInlet;
import io.cascade.api.relay.PartOutlet;
import io.cascade.api.relay.PartStatus;
import io.cascade.api.relay.StreamOptions;
import io.cascade.api.relay.StreamReport;
import io.cascade.carriage.tls.TlsLibrary;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.pump.PumpMode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Real relays in this process and one chain over them, installed in parallel as an orchestrator
 * would.
 */
public final class TestChain implements AutoCloseable {
  public static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final SecureRandom RANDOM = new SecureRandom();

  final List<RelayNode> relays = new ArrayList<>();
  final UUID id = UUID.randomUUID();
  private final List<String> keys = new ArrayList<>();
  private final boolean encrypted;
  private final Function<HopAddress, @Nullable HopOptions> hops;
  private @Nullable InstalledPart ingress;

  private TestChain(boolean encrypted, Function<HopAddress, @Nullable HopOptions> hops) {
    this.encrypted = encrypted;
    this.hops = hops;
  }

  static TestChain open(
      int count, Transport transport, InetSocketAddress destination, StreamOptions options)
      throws Exception {
    return open(count, transport, PumpMode.AUTO, destination, options);
  }

  static TestChain open(
      int count,
      Transport transport,
      PumpMode pump,
      InetSocketAddress destination,
      StreamOptions options)
      throws Exception {
    return open(count, transport, pump, destination, options, false);
  }

  /**
   * A chain one of whose hops has options of its own.
   *
   * @param own options of the hop
   */
  static TestChain open(
      int count,
      Transport transport,
      InetSocketAddress destination,
      StreamOptions options,
      HopAddress hop,
      HopOptions own)
      throws Exception {
    List<RelayNode> relays = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      relays.add(TestRelay.on(transport).start("r" + i));
    }
    return over(relays, destination, options, false, each -> each.equals(hop) ? own : null);
  }

  /** A chain whose hops are encrypted. */
  static TestChain openEncrypted(
      int count,
      Transport transport,
      PumpMode pump,
      InetSocketAddress destination,
      StreamOptions options)
      throws Exception {
    return open(count, transport, pump, destination, options, true);
  }

  private static TestChain open(
      int count,
      Transport transport,
      PumpMode pump,
      InetSocketAddress destination,
      StreamOptions options,
      boolean encrypted)
      throws Exception {
    List<RelayNode> relays = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      relays.add(TestRelay.on(transport).pump(pump).tls(tlsOf(i)).start("r" + i));
    }
    return over(relays, destination, options, encrypted);
  }

  /** A chain over these relays, which are closed with it. */
  public static TestChain over(
      List<RelayNode> relays,
      InetSocketAddress destination,
      StreamOptions options,
      boolean encrypted)
      throws Exception {
    return over(relays, destination, options, encrypted, _ -> null);
  }

  private static TestChain over(
      List<RelayNode> relays,
      InetSocketAddress destination,
      StreamOptions options,
      boolean encrypted,
      Function<HopAddress, @Nullable HopOptions> hops)
      throws Exception {
    TestChain chain = new TestChain(encrypted, hops);
    for (RelayNode relay : relays) {
      chain.relays.add(relay);
      chain.keys.add(newKey());
    }
    chain.install(destination, options);
    return chain;
  }

  /** Two of a kind in turn, so that long chains have a hop between each two kinds of TLS. */
  private static TlsLibrary tlsOf(int relay) {
    return relay % 4 < 2 ? TlsLibrary.AUTO : TlsLibrary.JDK;
  }

  public static String newKey() {
    byte[] key = new byte[32];
    RANDOM.nextBytes(key);
    return Base64.getEncoder().encodeToString(key);
  }

  public static StreamOptions defaults() {
    return options(Map.of());
  }

  static StreamOptions buffer(long bytes) {
    return options(Map.of("bufferBytes", bytes));
  }

  static StreamOptions cold() {
    return options(Map.of("warmConnections", 0));
  }

  /** Options by the contract's names for them; everything else is the relay's default. */
  public static StreamOptions options(Map<String, ?> named) {
    return Json.strict().convertValue(named, StreamOptions.class);
  }

  void install(InetSocketAddress destination, StreamOptions options) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<InstalledPart>> parts = new ArrayList<>();
      for (int i = 0; i < relays.size(); i++) {
        int index = i;
        parts.add(
            threads.submit(
                () -> control(index).install(id, part(index, destination, options), PATIENCE)));
      }
      ingress = parts.getFirst().get();
      for (Future<InstalledPart> part : parts) {
        part.get();
      }
    } catch (ExecutionException e) {
      close();
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  ChainPart part(int index, InetSocketAddress destination, StreamOptions options) {
    boolean last = index == relays.size() - 1;
    HopAddress in = new HopAddress(0, 0, index);
    HopAddress out = new HopAddress(0, 0, index + 1);
    PartInlet inlet =
        PartInlet.builder()
            .hop(in)
            .ingress(index == 0 ? Ingress.builder().port(0).key(keys.get(0)).build() : null)
            .relay(index == 0 ? null : new HopInlet(keys.get(index), certificate(index - 1)))
            .options(hops.apply(in))
            .build();
    PartOutlet outlet =
        PartOutlet.builder()
            .hop(out)
            .relay(
                last
                    ? null
                    : HopOutlet.builder()
                        .host("127.0.0.1")
                        .port(relays.get(index + 1).hopAddress().getPort())
                        .key(keys.get(index + 1))
                        .certificateSha256(certificate(index + 1))
                        .build())
            .egress(
                last
                    ? Egress.builder()
                        .host(destination.getHostString())
                        .port(destination.getPort())
                        .proxyProtocol(false)
                        .build()
                    : null)
            .options(hops.apply(out))
            .build();
    return ChainPart.builder()
        .inlets(List.of(inlet))
        .outlets(List.of(outlet))
        .leaseSeconds(86_400)
        .options(options)
        .build();
  }

  private @Nullable String certificate(int index) {
    return encrypted ? control(index).health(PATIENCE).certificateSha256() : null;
  }

  RelayControlClient control(int index) {
    return control(relays.get(index));
  }

  public static RelayControlClient control(RelayNode relay) {
    return new RelayControlClient(
        URI.create("http://127.0.0.1:" + relay.controlAddress().getPort()), null);
  }

  public InetSocketAddress ingressAddress() {
    InstalledPart part = java.util.Objects.requireNonNull(ingress);
    return new InetSocketAddress("127.0.0.1", java.util.Objects.requireNonNull(part.ingressPort()));
  }

  String key(int index) {
    return keys.get(index);
  }

  Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.connect(ingressAddress(), (int) PATIENCE.toMillis());
    socket.setSoTimeout((int) PATIENCE.toMillis());
    return socket;
  }

  public int length() {
    return relays.size();
  }

  public PartStatus status(int index) {
    return control(index).show(id, PATIENCE);
  }

  /** Stream bytes that a relay holds. */
  public long heldBytes(int index) {
    return control(index).health(PATIENCE).heldBytes();
  }

  public List<StreamReport> streams(int index) {
    return control(index).streams(id, PATIENCE).streams();
  }

  @Override
  public void close() {
    relays.forEach(RelayNode::close);
  }
}
