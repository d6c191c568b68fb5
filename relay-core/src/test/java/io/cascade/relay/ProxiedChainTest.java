package io.cascade.relay;

import static io.cascade.relay.ProxyRig.GRANTED;
import static io.cascade.relay.ProxyRig.command;
import static io.cascade.relay.ProxyRig.expect;
import static io.cascade.relay.ProxyRig.reply;
import static io.cascade.relay.ProxyRig.send;
import static io.cascade.relay.ProxyRig.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.cascade.api.Json;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.RelayControlClient;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.RelayInstructions;
import io.cascade.api.orchestrator.RouteAnswer;
import io.cascade.api.orchestrator.RouteQuestion;
import io.cascade.api.orchestrator.RouteTrial;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Egress;
import io.cascade.api.relay.HopInlet;
import io.cascade.api.relay.HopOutlet;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.PartInlet;
import io.cascade.api.relay.PartOutlet;
import io.cascade.carriage.LeakWatch;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.proxy.ProxySettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams of a SOCKS5 client through a chain of three relays that was opened for them. */
@Timeout(60)
class ProxiedChainTest {
  @TempDir private Path folder;
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final AtomicReference<RouteAnswer> answer =
      new AtomicReference<>(new RouteAnswer(null, 1, "as yet", null));
  private final List<RouteQuestion> questions = new CopyOnWriteArrayList<>();
  private final UUID chain = UUID.randomUUID();
  private final List<RelayNode> relays = new ArrayList<>();
  private HttpServer orchestrator;
  private ServerSocket destination;

  static Stream<Transport> transports() {
    return Stream.of(Transport.values()).filter(Transport::available);
  }

  /** One that plans as the test says. */
  @BeforeEach
  void start() throws IOException {
    LeakWatch.start();
    destination = opened(new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1")));
    orchestrator = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    orchestrator.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    orchestrator.createContext(
        "/",
        exchange -> {
          try (exchange) {
            byte[] request = exchange.getRequestBody().readAllBytes();
            boolean route = exchange.getRequestURI().getPath().endsWith("/routes");
            if (route) {
              questions.add(Json.strict().readValue(request, RouteQuestion.class));
            }
            byte[] body =
                Json.strict()
                    .writeValueAsBytes(
                        route ? answer.get() : new RelayInstructions(60.0, List.of(), null, null));
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          }
        });
    orchestrator.start();
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable one : opened.reversed()) {
      one.close();
    }
    orchestrator.stop(0);
    LeakWatch.assertNothingLeaks();
  }

  static Stream<Arguments> ways() {
    return transports()
        .flatMap(
            transport -> Stream.of(true, false).map(framed -> Arguments.of(transport, framed)));
  }

  @ParameterizedTest(name = "{0}, framed: {1}")
  @MethodSource("ways")
  void theClientIsToldWhenTheFarEndIsConnectedAndItsBytesArrive(Transport transport, boolean framed)
      throws Exception {
    startRelays(transport, List.of("127.0.0.0/8"));
    install("localhost", destination.getLocalPort(), framed);
    byte[] asked = command(1, "localhost", destination.getLocalPort());
    takeTheChain(asked);

    Socket client = opened(greeted());
    send(client, asked, text("hasty"));
    Socket server = opened(destination.accept());
    assertThat(reply(client)).isEqualTo(GRANTED);
    expect(server, text("hasty"));
    send(server, text("answer"));
    server.shutdownOutput();
    assertThat(client.getInputStream().readAllBytes()).isEqualTo(text("answer"));
    send(client, text("and more"));
    client.shutdownOutput();
    assertThat(server.getInputStream().readAllBytes()).isEqualTo(text("and more"));
    assertThat(streamsAt(2)).isEqualTo(2);
  }

  @ParameterizedTest(name = "{0}, framed: {1}")
  @MethodSource("ways")
  void theClientIsToldWhyTheFarEndIsNot(Transport transport, boolean framed) throws Exception {
    startRelays(transport, List.of("127.0.0.0/8"));
    int port = destination.getLocalPort();
    install("127.0.0.1", port, framed);
    byte[] asked = command(1, "127.0.0.1", port);
    takeTheChain(asked);
    destination.close();
    for (int time = 0; time < 2; time++) { // it is not the chain's failing
      Socket client = opened(greeted());
      send(client, asked, text("hasty"));
      assertThat(reply(client)).as("refused").isEqualTo(5);
      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
    assertThat(streamsAt(2)).isEqualTo(3);
  }

  @ParameterizedTest
  @MethodSource("transports")
  void aChainDoesNotReachTheFarRelaysOwnHostUnlessItsOperatorSaysSo(Transport transport)
      throws Exception {
    startRelays(transport, List.of());

    ChainPart last =
        TestParts.of(
            2,
            60,
            null,
            new HopInlet(TestChain.newKey(), null),
            null,
            new Egress("localhost", destination.getLocalPort(), null, true),
            null,
            null);

    assertThatThrownBy(() -> control(2).install(chain, last, TestChain.PATIENCE))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("a loopback address");
  }

  @ParameterizedTest
  @MethodSource("transports")
  void whenTheChainFailsNewStreamsGoDirectly(Transport transport) throws Exception {
    startRelays(transport, List.of("127.0.0.0/8"));
    install("localhost", destination.getLocalPort());
    byte[] asked = command(1, "localhost", destination.getLocalPort());
    takeTheChain(asked);
    Socket running = opened(greeted());
    send(running, asked);
    assertThat(reply(running)).isEqualTo(GRANTED);
    Socket far = opened(destination.accept());

    control(0).remove(chain, false, TestChain.PATIENCE);
    Socket client = opened(greeted());
    send(client, asked, text("directly"));
    assertThat(reply(client)).isEqualTo(GRANTED);
    expect(opened(destination.accept()), text("directly"));
    send(running, text("still"));
    expect(far, text("still"));
  }

  @ParameterizedTest
  @MethodSource("transports")
  void whereItIsUndecidedStreamsTakeBothWaysInTurnAndTheirBulkIsMeasured(Transport transport)
      throws Exception {
    startRelays(transport, List.of("127.0.0.0/8"));
    install("localhost", destination.getLocalPort());
    byte[] asked = command(1, "localhost", destination.getLocalPort());
    answer.set(new RouteAnswer(chain, 1, "undecided", true));
    await()
        .until(() -> {
          download(asked);
          return streamsAt(2) > 0;
        });
    await()
        .until(() -> {
          download(asked);
          return questions.stream().anyMatch(one -> one.trial() != null && decided(one.trial()));
        });
    RouteTrial found = Objects.requireNonNull(questions.getLast().trial());
    assertThat(found.chainId()).isEqualTo(chain);
    assertThat(found.chain().bulkStreams()).isPositive();
    assertThat(found.direct().bulkStreams()).isPositive();
    assertThat(found.chain().bitsPerSecond()).isPositive();
  }

  private static boolean decided(RouteTrial trial) {
    return trial.verdict() != null;
  }

  /** One stream that carries enough to have a rate. */
  private void download(byte[] asked) throws IOException {
    byte[] bytes = new byte[1 << 19];
    try (Socket client = greeted();
        Socket server = granted(client, asked)) {
      Thread sender =
          Thread.startVirtualThread(() -> {
            try {
              server.getOutputStream().write(bytes);
              server.shutdownOutput();
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      assertThat(client.getInputStream().readAllBytes()).hasSameSizeAs(bytes);
      client.shutdownOutput();
      assertThat(server.getInputStream().read()).isEqualTo(-1);
      await().until(() -> !sender.isAlive());
    }
  }

  /** The first goes directly and sets the question off; soon one goes through the chain. */
  private void takeTheChain(byte[] asked) {
    answer.set(new RouteAnswer(chain, 60, "through the chain", null));
    await()
        .until(() -> {
          try (Socket client = greeted();
              Socket server = granted(client, asked)) {
            return streamsAt(2) > 0 && server.isConnected();
          }
        });
  }

  private Socket granted(Socket client, byte[] asked) throws IOException {
    send(client, asked);
    assertThat(reply(client)).isEqualTo(GRANTED);
    return destination.accept();
  }

  private Socket greeted() throws IOException {
    Socket client =
        ProxyRig.dial(java.util.Objects.requireNonNull(relays.getFirst().socksAddress()));
    send(client, ProxyRig.NO_LOGIN);
    expect(client, ProxyRig.CHOSEN_NO_LOGIN);
    return client;
  }

  private long streamsAt(int index) {
    return control(index).show(chain, TestChain.PATIENCE).totals().opened();
  }

  private RelayControlClient control(int index) {
    return TestChain.control(relays.get(index));
  }

  private void startRelays(Transport transport, List<String> allowedAtTheEnd) throws IOException {
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    ProxySettings first =
        new ProxySettings(
            new InetSocketAddress(loopback, 0),
            null,
            List.of(),
            List.of("*", "127.0.0.0/8", "::1"),
            null);
    ProxySettings last = new ProxySettings(null, null, List.of(), allowedAtTheEnd, null);
    relays.add(relay("first", transport, first));
    relays.add(relay("middle", transport, ProxySettings.NONE));
    relays.add(relay("last", transport, last));
  }

  private RelayNode relay(String name, Transport transport, ProxySettings proxies)
      throws IOException {
    return opened(
        TestRelay.on(transport)
            .orchestrator(
                URI.create("http://127.0.0.1:" + orchestrator.getAddress().getPort()),
                folder.resolve(name + ".identity"))
            .proxies(proxies)
            .start(name));
  }

  private void install(String host, int port) throws Exception {
    install(host, port, false);
  }

  /**
   * @param framed whether the hops between the relays are a segment of their own
   */
  private void install(String host, int port, boolean framed) throws Exception {
    List<String> keys = List.of(TestChain.newKey(), TestChain.newKey());
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<InstalledPart>> parts = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        int index = i;
        ChainPart part =
            TestParts.of(
                index,
                60,
                index == 0 ? new Ingress(null, 0, true, null, null) : null,
                index == 0 ? null : new HopInlet(keys.get(index - 1), null),
                index == 2
                    ? null
                    : new HopOutlet(
                        "127.0.0.1",
                        relays.get(index + 1).hopAddress().getPort(),
                        keys.get(index),
                        null),
                index == 2 ? new Egress(host, port, null, true) : null,
                null,
                null);
        ChainPart wanted = framed ? framed(part) : part;
        parts.add(threads.submit(() -> control(index).install(chain, wanted, TestChain.PATIENCE)));
      }
      for (Future<InstalledPart> part : parts) {
        assertThat(part.get().ingressPort()).isNull();
      }
    }
  }

  private <T extends AutoCloseable> T opened(T one) {
    opened.add(one);
    return one;
  }

  private static ChainPart framed(ChainPart part) {
    PartInlet inlet = part.inlets().getFirst();
    PartOutlet outlet = part.outlets().getFirst();
    return new ChainPart(
        List.of(new PartInlet(framed(inlet.hop()), inlet.ingress(), inlet.relay(), null)),
        List.of(new PartOutlet(framed(outlet.hop()), outlet.relay(), outlet.egress(), null, null)),
        part.leaseSeconds(),
        part.options(),
        part.revision());
  }

  /** The two hops between the relays are those of the second segment. */
  private static HopAddress framed(HopAddress hop) {
    return switch (hop.hop()) {
      case 0 -> hop;
      case 1, 2 -> new HopAddress(1, 0, hop.hop() - 1);
      default -> new HopAddress(2, 0, 0);
    };
  }
}
