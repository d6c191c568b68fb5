package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.ProblemException;
import io.cascade.api.identity.RelayProof;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.PartStatus;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.proxy.ProxySettings;
import io.cascade.relay.registration.FakeOrchestrator;
import io.cascade.testing.ReservedPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A relay takes another one's place while streams run and begin. */
@Timeout(120)
class HandOverTest {
  private static final int MEMORY = 64 << 20;

  @TempDir private Path folder;
  private ServerSocket destination;
  private TestChain chain;
  private final List<RelayNode> successors = new ArrayList<>();

  @SuppressWarnings("NullAway.Init")
  HandOverTest() {}

  @BeforeEach
  void listen() throws Exception {
    assumeThat(Transport.EPOLL.available())
        .as("SKIPPED: sockets are handed over on Linux's epoll only")
        .isTrue();
    destination = new ServerSocket(0, 500, InetAddress.getByName("127.0.0.1"));
    echo(destination);
    chain = open(false);
  }

  private TestChain open(boolean encrypted) throws Exception {
    List<RelayNode> relays = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      relays.add(relay(i));
    }
    return TestChain.over(
        relays,
        new InetSocketAddress("127.0.0.1", destination.getLocalPort()),
        TestChain.defaults(),
        encrypted);
  }

  @AfterEach
  void close() throws IOException {
    if (destination != null) {
      successors.forEach(RelayNode::close);
      chain.close();
      destination.close();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void itsStreamsGoOnAndNewOnesComeToTheSuccessor(int place) throws Exception {
    RelayNode before = chain.relays.get(place);
    InetSocketAddress hop = before.hopAddress();
    try (Socket old = chain.connect()) {
      talk(old, 1);

      RelayNode after = succeed(place);

      assertThat(after.hopAddress()).isEqualTo(hop);
      assertThat(after.instance()).isEqualTo(before.instance());
      talk(old, 2);
      try (Socket fresh = chain.connect()) {
        talk(fresh, 3);
        PartStatus part = TestChain.control(after).show(chain.id, TestChain.PATIENCE);
        assertThat(part.totals().running()).isEqualTo(1);
        talk(old, 4);
      }
    }
    before.awaitTermination(); // its last stream has ended
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void noConnectionFailsWhileItHappens(int place) throws Exception {
    AtomicBoolean enough = new AtomicBoolean();
    AtomicInteger done = new AtomicInteger();
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      clients.add(
          Thread.ofPlatform()
              .start(() -> {
                try {
                  while (!enough.get()) {
                    try (Socket socket = chain.connect()) {
                      talk(socket, done.incrementAndGet());
                    }
                  }
                } catch (IOException | AssertionError e) {
                  failures.add(e);
                }
              }));
    }
    await().until(() -> done.get() > 50);
    succeed(place);
    assertThat(failures).isEmpty();
    int then = done.get();
    await().until(() -> done.get() > then + 50 || !failures.isEmpty());
    succeed(place);
    int later = done.get();
    await().until(() -> done.get() > later + 50 || !failures.isEmpty());
    enough.set(true);
    for (Thread client : clients) {
      client.join();
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void theSuccessorKnowsWhichRevisionOfAPartIsOlder() throws Exception {
    InetSocketAddress at = new InetSocketAddress("127.0.0.1", destination.getLocalPort());
    ChainPart last = chain.part(2, at, TestChain.defaults());
    assertThat(install(chain.relays.get(2), revised(last, 7)).renewed()).isTrue();

    RelayNode after = succeed(2);

    assertThatThrownBy(() -> install(after, revised(last, 6)))
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> assertThat(problem.type()).endsWith("stale-revision"));
    assertThat(install(after, revised(last, 7)).renewed()).isTrue();
  }

  @Test
  void theSuccessorKnowsWhichOrchestratorLeads() throws Exception {
    InetSocketAddress at = new InetSocketAddress("127.0.0.1", destination.getLocalPort());
    ChainPart last = chain.part(2, at, TestChain.defaults());
    TestChain.control(chain.relays.get(2)).in(9).install(chain.id, last, TestChain.PATIENCE);

    RelayNode after = succeed(2);

    assertThatThrownBy(
            () -> TestChain.control(after).in(8).remove(chain.id, true, TestChain.PATIENCE))
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.type()).endsWith("stale-epoch"));
  }

  private InstalledPart install(RelayNode relay, ChainPart part) {
    return TestChain.control(relay).install(chain.id, part, TestChain.PATIENCE);
  }

  private static ChainPart revised(ChainPart part, long revision) {
    return ChainPart.builder()
        .inlets(part.inlets())
        .outlets(part.outlets())
        .leaseSeconds(part.leaseSeconds())
        .options(part.options())
        .revision(revision)
        .build();
  }

  @Test
  void neighboursOnEncryptedHopsKnowTheSuccessorByTheSameCertificate() throws Exception {
    chain.close();
    chain = open(true);
    try (Socket old = chain.connect()) {
      talk(old, 1);
      succeed(1);
      for (int word = 2; word < 20; word++) {
        try (Socket fresh = chain.connect()) {
          talk(fresh, word);
        }
      }
      talk(old, 20);
    }
  }

  @Test
  void aProxysPortGoesToTheSuccessorAndNoClientIsTurnedAway() throws Exception {
    int port = ReservedPort.untilTheEnd();
    InetSocketAddress socks = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port);
    ProxySettings proxies = new ProxySettings(socks, null, List.of(), List.of("127.0.0.0/8"), null);
    Path meeting = folder.resolve("proxy.sock");
    successors.add(TestRelay.on(Transport.EPOLL).handOver(meeting).proxies(proxies).start("proxy"));
    AtomicBoolean enough = new AtomicBoolean();
    AtomicInteger done = new AtomicInteger();
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    Thread client =
        Thread.ofPlatform()
            .start(() -> {
              try {
                while (!enough.get()) {
                  try (Socket socket = ProxyRig.dial(socks)) {
                    ProxyRig.send(
                        socket,
                        ProxyRig.NO_LOGIN,
                        ProxyRig.command(1, "127.0.0.1", destination.getLocalPort()));
                    ProxyRig.expect(socket, ProxyRig.CHOSEN_NO_LOGIN);
                    assertThat(ProxyRig.reply(socket)).isEqualTo(ProxyRig.GRANTED);
                    talk(socket, done.incrementAndGet());
                  }
                }
              } catch (IOException | AssertionError e) {
                failures.add(e);
              }
            });
    await().until(() -> done.get() > 20 || !failures.isEmpty());
    successors.add(TestRelay.on(Transport.EPOLL).handOver(meeting).proxies(proxies).start("proxy"));
    int then = done.get();
    await().until(() -> done.get() > then + 20 || !failures.isEmpty());
    enough.set(true);
    client.join();
    assertThat(failures).isEmpty();
    assertThat(successors.getLast().socksAddress()).isEqualTo(socks);
  }

  @Test
  void aStreamThatThePredecessorFinishesIsAbortedByItsNeighboursAndNotByTheSuccessor()
      throws Exception {
    RelayNode before = chain.relays.get(1);
    try (Socket old = chain.connect()) {
      talk(old, 1);
      RelayNode after = succeed(1);
      TestChain.control(after).remove(chain.id, true, TestChain.PATIENCE);
      talk(old, 2);
      TestChain.control(chain.relays.get(0)).remove(chain.id, true, TestChain.PATIENCE);
      assertThatThrownBy(() -> talk(old, 3)).isInstanceOf(IOException.class);
    }
    before.awaitTermination();
  }

  @Test
  void aSuccessorOfAnotherNameIsSentAwayAndTheRelayGoesOn() throws Exception {
    assertThatThrownBy(() -> TestRelay.on(Transport.EPOLL).handOver(path(1)).start("another"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the relay there is called r1");
    try (Socket socket = chain.connect()) {
      talk(socket, 1);
    }
  }

  @Test
  void aSuccessorThatDiesMidwayIsForgotten() throws Exception {
    try (var channel = java.nio.channels.SocketChannel.open(java.net.StandardProtocolFamily.UNIX)) {
      channel.connect(java.net.UnixDomainSocketAddress.of(path(0)));
      channel.write(
          java.nio.ByteBuffer.wrap("r0\n".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
      java.nio.ByteBuffer estate = java.nio.ByteBuffer.allocate(16);
      assertThat(channel.read(estate)).as("it has begun to hand over").isPositive();
    }
    try (Socket socket = chain.connect()) {
      talk(socket, 1);
    }
    succeed(0);
    try (Socket socket = chain.connect()) {
      talk(socket, 2);
    }
  }

  @Test
  void theOrchestratorSeesTheSameInstanceAndGenerationThatGoesOnCounting() throws Exception {
    try (FakeOrchestrator orchestrator = new FakeOrchestrator()) {
      RelayNode before = known(orchestrator);
      await().until(() -> orchestrator.heartbeats.size() >= 2);

      RelayNode after = known(orchestrator);

      await().until(() -> orchestrator.registrations.size() == 2);
      RelayRegistration first = orchestrator.registrations.get(0);
      RelayRegistration second = orchestrator.registrations.get(1);
      assertThat(second.instance()).isEqualTo(first.instance());
      assertThat(second.publicKey()).isEqualTo(first.publicKey());
      assertThat(second.generation()).isEqualTo(first.generation()).isEqualTo(1);
      assertThat(RelayProof.holds(second)).isTrue();
      before.awaitTermination();
      assertThat(second.sequence()).isGreaterThan(orchestrator.heartbeats.size() + 2L);
      assertThat(before.isSuperseded()).isFalse();
      after.close();
      successors.add(known(orchestrator));
      await().until(() -> orchestrator.registrations.size() == 3);
      assertThat(orchestrator.registrations.get(2).generation()).isEqualTo(2);
    }
  }

  private RelayNode known(FakeOrchestrator orchestrator) throws IOException {
    RelayNode relay =
        TestRelay.on(Transport.EPOLL)
            .handOver(folder.resolve("known.sock"))
            .orchestrator(orchestrator.address(), folder.resolve("known.identity"))
            .start("r1");
    successors.add(relay);
    return relay;
  }

  @Test
  void itsSocketIsForItsOwnerOnlyAndGoesWithIt() throws Exception {
    assertThat(Files.getPosixFilePermissions(path(0)))
        .isEqualTo(java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
    chain.relays.get(0).close();
    assertThat(path(0)).doesNotExist();
  }

  private RelayNode succeed(int place) throws IOException {
    RelayNode after = relay(place);
    successors.add(after);
    return after;
  }

  private RelayNode relay(int place) throws IOException {
    return TestRelay.on(Transport.EPOLL).memory(MEMORY).handOver(path(place)).start("r" + place);
  }

  private Path path(int place) {
    return folder.resolve("r" + place + ".sock");
  }

  private static void talk(Socket socket, int word) throws IOException {
    socket.getOutputStream().write(word);
    assertThat(socket.getInputStream().read()).isEqualTo(word & 0xff);
  }

  private static void echo(ServerSocket listening) {
    Thread.startVirtualThread(() -> {
      try {
        while (true) {
          Socket socket = listening.accept();
          Thread.startVirtualThread(() -> {
            try (socket) {
              socket.getInputStream().transferTo(socket.getOutputStream());
            } catch (IOException e) {
              // the other end sees it
            }
          });
        }
      } catch (IOException e) {
        // the test is over
      }
    });
  }
}
