package io.cascade.relay;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.carriage.rendezvous.MeetingAnswer;
import io.cascade.carriage.rendezvous.MeetingNumber;
import io.cascade.carriage.rendezvous.MeetingRefusal;
import io.cascade.carriage.rendezvous.MeetingRequest;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.rendezvous.RendezvousLimits;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two ends that both dial out are joined as if one had connected to the other. */
@Timeout(60)
class RendezvousPortTest {
  private static final RendezvousLimits USUAL = RendezvousLimits.usual(1L << 40);
  private static final int PATIENCE_MILLIS = 10_000;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Socket> sockets = new ArrayList<>();

  static Stream<Transport> transports() {
    return Stream.of(Transport.values()).filter(Transport::available);
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    threads.shutdownNow();
  }

  @ParameterizedTest
  @MethodSource("transports")
  void carriesBytesBothWaysAndEachDirectionEndsByItself(Transport transport) throws Exception {
    try (RelayNode relay = TestRelay.on(transport).rendezvous(0, USUAL).start("r1")) {
      for (int pair = 1; pair <= 8; pair++) { // the numbers belong to different event loops
        byte[] there = random(2_000_000, pair);
        byte[] back = random(1_000_000, -pair);
        Socket receiver = waiting(relay, pair, 1);
        Socket sender = joining(relay, pair);
        assertThat(answer(sender)).isEqualTo(new MeetingAnswer.Joined(local(receiver)));
        assertThat(answer(receiver)).isEqualTo(new MeetingAnswer.Joined(local(sender)));
        CompletableFuture<byte[]> arrived = readAll(receiver);
        CompletableFuture<byte[]> returned = readAll(sender);
        sender.getOutputStream().write(there);
        sender.shutdownOutput();
        assertThat(arrived.get()).isEqualTo(there);
        receiver.getOutputStream().write(back);
        receiver.shutdownOutput();
        assertThat(returned.get()).isEqualTo(back);
      }
      await().untilAsserted(() -> assertThat(running(relay)).isZero());
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void bytesThatTheSenderDoesNotHoldBackUntilItIsJoinedArrive(Transport transport)
      throws Exception {
    try (RelayNode relay = TestRelay.on(transport).rendezvous(0, USUAL).start("r1")) {
      Socket receiver = waiting(relay, 1, 1);
      Socket sender = dial(relay);
      byte[] early = random(100, 3);
      ByteBuffer both = ByteBuffer.allocate(MeetingRequest.BYTES + early.length);
      both.put(MeetingRequest.toJoin(number(1)).encode()).put(early);
      sender.getOutputStream().write(both.array());
      sender.shutdownOutput();
      assertThat(answer(receiver)).isInstanceOf(MeetingAnswer.Joined.class);
      assertThat(receiver.getInputStream().readAllBytes()).isEqualTo(early);
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void aResetOfOneEndResetsTheOtherAndNoStreamIsLeft(Transport transport) throws Exception {
    try (RelayNode relay = TestRelay.on(transport).rendezvous(0, USUAL).start("r1")) {
      for (boolean senderDies : new boolean[] {true, false}) {
        Socket receiver = waiting(relay, 1, 1);
        Socket sender = joined(relay, 1, receiver);
        Socket dying = senderDies ? sender : receiver;
        Socket other = senderDies ? receiver : sender;
        dying.setSoLinger(true, 0);
        dying.close();
        assertThatThrownBy(() -> other.getInputStream().read())
            .isInstanceOf(IOException.class)
            .hasMessageContaining("reset");
      }
      await().untilAsserted(() -> assertThat(running(relay)).isZero());
    }
  }

  @Test
  void aReceiverThatDoesNotReadHoldsTheSenderBackWithinTheBudget() throws Exception {
    long budget = 1 << 20;
    try (RelayNode relay =
        TestRelay.on(Transport.best()).memory(budget).rendezvous(0, USUAL).start("r1")) {
      Socket receiver = waiting(relay, 1, 1);
      Socket sender = joined(relay, 1, receiver);
      byte[] sent = random(40_000_000, 5);
      CompletableFuture<Void> sending =
          CompletableFuture.runAsync(
              () -> {
                try {
                  sender.getOutputStream().write(sent);
                  sender.shutdownOutput();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              },
              threads);
      await()
          .untilAsserted(
              () -> assertThat(relay.chains.admission().memory().heldBytes()).isPositive());
      assertThat(relay.chains.admission().memory().heldBytes()).isLessThanOrEqualTo(budget);
      assertThat(sending).isNotDone();
      assertThat(receiver.getInputStream().readAllBytes()).isEqualTo(sent);
      sending.get();
    }
  }

  @Test
  void manyPairsRunAtOnce() throws Exception {
    int pairs = 100;
    try (RelayNode relay =
        TestRelay.on(Transport.best()).eventLoops(3).rendezvous(0, USUAL).start("r1")) {
      List<CompletableFuture<Boolean>> all = new ArrayList<>();
      for (int i = 0; i < pairs; i++) {
        int pair = i;
        Socket receiver = waiting(relay, pair, 1);
        Socket sender = joined(relay, pair, receiver);
        byte[] sent = random(200_000, pair);
        all.add(readAll(receiver).thenApply(read -> Arrays.equals(read, sent)));
        threads.submit(() -> {
          sender.getOutputStream().write(sent);
          sender.shutdownOutput();
          return null;
        });
      }
      for (CompletableFuture<Boolean> each : all) {
        assertThat(each.get()).isTrue();
      }
    }
  }

  @Test
  void whoJoinsUnderAnotherNumberIsTold() throws Exception {
    try (RelayNode relay = TestRelay.on(Transport.best()).rendezvous(0, USUAL).start("r1")) {
      Socket receiver = waiting(relay, 1, 1);
      assertRefused(joining(relay, 2), MeetingRefusal.NOBODY_WAITS);
      joined(relay, 1, receiver);
    }
  }

  @Test
  void anEndThatLeftIsNotJoined() throws Exception {
    try (RelayNode relay = TestRelay.on(Transport.best()).rendezvous(0, USUAL).start("r1")) {
      waiting(relay, 1, 1).close();
      await().untilAsserted(() -> assertThat(waitingNow(relay)).isZero());
      assertRefused(joining(relay, 1), MeetingRefusal.NOBODY_WAITS);
    }
  }

  @Test
  void aNewerConnectionTakesTheOldestOnesPlace() throws Exception {
    try (RelayNode relay = TestRelay.on(Transport.best()).rendezvous(0, USUAL).start("r1")) {
      Socket oldest = waiting(relay, 1, 2);
      Socket middle = waiting(relay, 1, 2);
      Socket newest = waiting(relay, 1, 2);
      assertRefused(oldest, MeetingRefusal.REPLACED);
      joined(relay, 1, newest);
      joined(relay, 1, middle);
    }
  }

  @Test
  void whatIsNoRequestIsRefused() throws Exception {
    try (RelayNode relay = TestRelay.on(Transport.best()).rendezvous(0, USUAL).start("r1")) {
      Socket browser = dial(relay);
      browser.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes());
      assertRefused(browser, MeetingRefusal.MALFORMED);
      Socket impatient = waiting(relay, 1, 1);
      impatient.getOutputStream().write(1);
      assertRefused(impatient, MeetingRefusal.MALFORMED);
    }
  }

  @Test
  void aRequestThatDoesNotComeAndAWaitThatIsTooLongAreEnded() throws Exception {
    RendezvousLimits hasty =
        limits(16, 16, 16, 16, 600, Duration.ofMillis(50), Duration.ofMillis(50), 1L << 40);
    try (RelayNode relay = TestRelay.on(Transport.best()).rendezvous(0, hasty).start("r1")) {
      assertRefused(dial(relay), MeetingRefusal.LATE);
      assertRefused(waiting(relay, 1, 1), MeetingRefusal.EXPIRED);
      assertThat(waitingNow(relay)).isZero();
    }
  }

  @Test
  void oneAddressGetsItsShareOfThePlacesAndNoMore() throws Exception {
    RendezvousLimits small =
        limits(64, 2, 3, 1, 600, Duration.ofSeconds(5), Duration.ofHours(1), 1L << 40);
    try (RelayNode relay = TestRelay.on(Transport.best()).rendezvous(0, small).start("r1")) {
      Socket first = waiting(relay, 1, 1);
      Socket second = waiting(relay, 2, 1);
      assertRefused(asking(relay, 3), MeetingRefusal.TOO_MANY_WAITING);
      Socket other = dial(relay, "127.0.0.2");
      other.getOutputStream().write(MeetingRequest.toWait(number(4), 1).encode().array());
      assertThat(answer(other)).isEqualTo(new MeetingAnswer.Waiting());
      Socket third = dial(relay, "127.0.0.3");
      third.getOutputStream().write(MeetingRequest.toWait(number(5), 1).encode().array());
      assertRefused(third, MeetingRefusal.FULL);
      Socket sender = joined(relay, 1, first);
      assertRefused(joining(relay, 2), MeetingRefusal.TOO_MANY_STREAMS);
      sender.close();
      first.close();
      await().untilAsserted(() -> assertThat(running(relay)).isZero());
      joined(relay, 2, second);
    }
  }

  @Test
  void requestsOfOneAddressAreBoundedByTheMinute() throws Exception {
    RendezvousLimits few =
        limits(64, 16, 16, 16, 5, Duration.ofSeconds(5), Duration.ofHours(1), 1L << 40);
    try (RelayNode relay = TestRelay.on(Transport.best()).rendezvous(0, few).start("r1")) {
      for (int guess = 0; guess < 5; guess++) {
        assertRefused(joining(relay, guess), MeetingRefusal.NOBODY_WAITS);
      }
      assertRefused(joining(relay, 6), MeetingRefusal.TOO_MANY_REQUESTS);
      Socket other = dial(relay, "127.0.0.2");
      other.getOutputStream().write(MeetingRequest.toJoin(number(1)).encode().array());
      assertRefused(other, MeetingRefusal.NOBODY_WAITS);
    }
  }

  @Test
  void aDaysBytesAreNotExceeded() throws Exception {
    RendezvousLimits little =
        limits(64, 16, 16, 16, 600, Duration.ofSeconds(5), Duration.ofHours(1), 100_000);
    try (RelayNode relay = TestRelay.on(Transport.best()).rendezvous(0, little).start("r1")) {
      Socket receiver = waiting(relay, 1, 1);
      Socket sender = joined(relay, 1, receiver);
      sender.getOutputStream().write(random(100_000, 1));
      receiver.getInputStream().readNBytes(100_000);
      assertThatThrownBy(() -> sender.getInputStream().read())
          .hasMessageContaining("reset"); // at the relay's next look
      assertRefused(asking(relay, 2), MeetingRefusal.BUDGET_SPENT);
      await().untilAsserted(() -> assertThat(running(relay)).isZero());
    }
  }

  /** They get no more than their share, and whoever says something is served meanwhile. */
  @Test
  void tenThousandConnectionsThatSayNothingKeepNobodyOut() throws Exception {
    try (RelayNode relay = TestRelay.on(Transport.best()).rendezvous(0, USUAL).start("r1")) {
      for (int i = 0; i < 10_000; i++) {
        Socket silent = new Socket();
        silent.connect(relay.rendezvousAddress(), PATIENCE_MILLIS);
        sockets.add(silent);
        if (i % 1_000 == 999) { // beyond the share they are closed: keep few of them ourselves
          for (Socket each : sockets.subList(500, sockets.size())) {
            each.close();
          }
          sockets.subList(500, sockets.size()).clear();
        }
      }
      Socket receiver = dial(relay, "127.0.0.2");
      receiver.getOutputStream().write(MeetingRequest.toWait(number(1), 1).encode().array());
      assertThat(answer(receiver)).isEqualTo(new MeetingAnswer.Waiting());
      Socket sender = dial(relay, "127.0.0.2");
      sender.getOutputStream().write(MeetingRequest.toJoin(number(1)).encode().array());
      assertThat(answer(sender)).isInstanceOf(MeetingAnswer.Joined.class);
      assertThat(answer(receiver)).isInstanceOf(MeetingAnswer.Joined.class);
    }
  }

  @Test
  void aRelayThatStopsSendsThoseThatWaitElsewhere() throws Exception {
    Socket receiver;
    try (RelayNode relay = TestRelay.on(Transport.best()).rendezvous(0, USUAL).start("r1")) {
      receiver = waiting(relay, 1, 1);
    }
    assertRefused(receiver, MeetingRefusal.LEAVING);
  }

  @Test
  void aSuccessorListensAtOnceAndStreamsGoOnWhereTheyAre(@TempDir Path folder) throws Exception {
    assumeTrue(Transport.EPOLL.available());
    Path meeting = folder.resolve("hand-over");
    TestRelay settings = TestRelay.on(Transport.EPOLL).handOver(meeting).rendezvous(0, USUAL);
    try (RelayNode before = settings.start("r1")) {
      Socket receiver = waiting(before, 1, 1);
      Socket sender = joined(before, 1, receiver);
      Socket waits = waiting(before, 2, 1);
      InetSocketAddress at = before.rendezvousAddress();
      try (RelayNode after = settings.start("r1")) {
        assertRefused(waits, MeetingRefusal.LEAVING);
        assertThat(after.rendezvousAddress()).isEqualTo(at);
        joined(after, 2, waiting(after, 2, 1));
        sender.getOutputStream().write(7);
        assertThat(receiver.getInputStream().read()).isEqualTo(7);
        sender.close();
        receiver.close();
        before.awaitTermination();
      }
    }
  }

  private static RendezvousLimits limits(
      int pending,
      int waitingOfSource,
      int waiting,
      int joinedOfSource,
      int requests,
      Duration patience,
      Duration longestWait,
      long bytesADay) {
    return new RendezvousLimits(
        pending,
        pending,
        waiting,
        waitingOfSource,
        pending,
        joinedOfSource,
        requests,
        patience,
        longestWait,
        Duration.ofMinutes(15),
        bytesADay);
  }

  private Socket dial(RelayNode relay) throws IOException {
    return dial(relay, "127.0.0.1");
  }

  private Socket dial(RelayNode relay, String from) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
    socket.connect(requireNonNull(relay.rendezvousAddress()), PATIENCE_MILLIS);
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  private Socket asking(RelayNode relay, int number) throws IOException {
    Socket socket = dial(relay);
    socket.getOutputStream().write(MeetingRequest.toWait(number(number), 1).encode().array());
    return socket;
  }

  private Socket waiting(RelayNode relay, int number, int places) throws IOException {
    Socket socket = dial(relay);
    socket.getOutputStream().write(MeetingRequest.toWait(number(number), places).encode().array());
    assertThat(answer(socket)).isEqualTo(new MeetingAnswer.Waiting());
    return socket;
  }

  private Socket joining(RelayNode relay, int number) throws IOException {
    Socket socket = dial(relay);
    socket.getOutputStream().write(MeetingRequest.toJoin(number(number)).encode().array());
    return socket;
  }

  private Socket joined(RelayNode relay, int number, Socket receiver) throws IOException {
    Socket sender = joining(relay, number);
    assertThat(answer(sender)).isInstanceOf(MeetingAnswer.Joined.class);
    assertThat(answer(receiver)).isEqualTo(new MeetingAnswer.Joined(local(sender)));
    return sender;
  }

  private static MeetingAnswer answer(Socket socket) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    byte[] head = in.readNBytes(MeetingAnswer.HEAD_BYTES);
    assertThat(head).hasSize(MeetingAnswer.HEAD_BYTES);
    byte[] body = in.readNBytes(MeetingAnswer.bodyBytes(ByteBuffer.wrap(head)));
    return MeetingAnswer.decode(
        ByteBuffer.allocate(head.length + body.length).put(head).put(body).flip());
  }

  private static void assertRefused(Socket socket, MeetingRefusal why) throws IOException {
    assertThat(answer(socket)).isEqualTo(new MeetingAnswer.Refused(why));
    assertThat(socket.getInputStream().read()).isEqualTo(-1);
  }

  private CompletableFuture<byte[]> readAll(Socket socket) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return socket.getInputStream().readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        threads);
  }

  private static int running(RelayNode relay) {
    return relay.chains.counters().runningStreams();
  }

  private static int waitingNow(RelayNode relay) {
    return relay.rendezvousWaiting();
  }

  private static InetSocketAddress local(Socket socket) {
    return (InetSocketAddress) socket.getLocalSocketAddress();
  }

  private static MeetingNumber number(int value) {
    return MeetingNumber.of(
        ByteBuffer.allocate(MeetingNumber.BYTES).putInt(value * 0x9E37_79B1).array());
  }

  private static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
