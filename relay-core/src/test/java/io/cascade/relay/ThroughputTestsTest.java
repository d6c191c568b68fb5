package io.cascade.relay;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.RelayControlClient;
import io.cascade.api.relay.Egress;
import io.cascade.api.relay.Endpoint;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.ThroughputEnd;
import io.cascade.api.relay.ThroughputReport;
import io.cascade.api.relay.ThroughputSink;
import io.cascade.api.relay.ThroughputTest;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.hop.HopKey;
import io.cascade.relay.hop.TestMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Throughput tests between relays of this process, and with far ends that do not as they should.
 */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class ThroughputTestsTest {
  private static final Duration SOON = Duration.ofSeconds(40);
  private static final long BYTES = 4 << 20;
  private static final long MOST = 256 << 20;
  private static final String REFUSED = RelayControlClient.THROUGHPUT_TEST_REFUSED;
  private static final String FAILED = RelayControlClient.THROUGHPUT_TEST_FAILED;

  private static final Executor THREADS = Thread::startVirtualThread;

  private final UUID test = UUID.randomUUID();
  private final String key = TestChain.newKey();
  private RelayNode r1;
  private RelayNode r2;

  @BeforeEach
  void start() throws IOException {
    r1 = TestRelay.on(Transport.EPOLL).start("r1");
    r2 = TestRelay.on(Transport.EPOLL).start("r2");
  }

  @AfterEach
  void stop() {
    r1.close();
    r2.close();
  }

  @Test
  void allBytesAreDeliveredAndConfirmed() {
    ThroughputReport report = fromOneToTwo("reno", BYTES, 30);
    assertThat(report.bytes()).isEqualTo(BYTES);
    assertThat(report.endedBy()).isEqualTo(ThroughputEnd.BYTES);
    assertThat(report.congestionControl()).isEqualTo("reno");
    assertThat(report.bitsPerSecond()).isCloseTo(BYTES * 8 / report.seconds(), Offset.offset(1.0));
    assertThat(report.sentSegments()).isGreaterThanOrEqualTo(BYTES / 65_536);
    assertThat(report.minRttMillis()).isPositive();
    for (RelayNode relay : new RelayNode[] {r1, r2}) {
      String metrics = metrics(relay);
      assertThat(metrics)
          .contains("cascade_relay_throughput_tests_total{reason=\"completed\"} 1.0");
      assertThat(metrics).contains("cascade_relay_test_moved_bytes_total " + (double) BYTES);
      assertThat(metrics)
          .contains("cascade_relay_test_budget_left_bytes " + (double) ((256 << 20) - BYTES));
    }
  }

  @Test
  void theTimeEndsATestThatHasMoreBytesThanItCanSend() throws IOException {
    try (FarEnd far = new FarEnd(connection -> connection.accept().drainSlowly().confirm(0))) {
      // As fast as a loopback is, only a far end that reads slowly makes a test end by its time.
      ThroughputReport report = from(r1, far.endpoint(), null, MOST, 0.3);
      assertThat(report.endedBy()).isEqualTo(ThroughputEnd.SECONDS);
      assertThat(report.bytes()).isPositive().isLessThan(MOST);
    }
  }

  @Test
  void oneAfterTheOtherAndBothWays() {
    for (int round = 0; round < 3; round++) {
      UUID there = UUID.randomUUID();
      expect(r2, there, key, BYTES);
      assertThat(run(r1, request(there, hop(r2), key, null, BYTES, 5)).bytes()).isEqualTo(BYTES);
      UUID back = UUID.randomUUID();
      expect(r1, back, key, BYTES);
      assertThat(run(r2, request(back, hop(r1), key, null, BYTES, 5)).bytes()).isEqualTo(BYTES);
    }
  }

  @Test
  void aTestThatTheFarEndDoesNotExpectIsRefusedThere() {
    problem(() -> run(r1, request(test, hop(r2), key, null, BYTES, 5)), FAILED, "r2 refused");
    await().until(() -> refusals(r2, "unknown-test") == 1);
  }

  @Test
  void anotherKeyIsRefused() {
    expect(r2, test, TestChain.newKey(), BYTES);
    problem(() -> run(r1, request(test, hop(r2), key, null, BYTES, 5)), FAILED, "r2 refused");
    await().until(() -> refusals(r2, "wrong-key") == 1);
  }

  @Test
  void aHeaderThatWasRecordedIsWorthless() throws IOException {
    byte[] header = new TestMessage(TestMessage.Kind.TEST, test, 0).encode(HopKey.parse(key));
    expect(r2, test, key, BYTES);
    try (Socket first = connected(r2)) {
      first.getOutputStream().write(header);
      assertThat(first.getInputStream().read()).isEqualTo(0x0d); // accepted
      try (Socket second = connected(r2)) {
        second.getOutputStream().write(header);
        assertThat(readOrReset(second)).isEqualTo(-1);
      }
      await().until(() -> refusals(r2, "replayed") == 1);
      first.setSoLinger(true, 0); // The JDK would end the sending direction before it closes.
    }
    await().until(() -> metrics(r2).contains("tests_total{reason=\"failed\"} 1.0"));
    try (Socket third = connected(r2)) {
      third.getOutputStream().write(header);
      assertThat(readOrReset(third)).isEqualTo(-1);
    }
    await().until(() -> refusals(r2, "unknown-test") == 1);
    problem(() -> expect(r2, test, key, BYTES), REFUSED, "was run already");
  }

  @Test
  void aRelayThatExpectsATestTakesNoOther() {
    expect(r2, test, key, BYTES);
    problem(() -> expect(r2, UUID.randomUUID(), key, BYTES), REFUSED, "another throughput test");
    problem(
        () -> run(r2, request(UUID.randomUUID(), hop(r1), key, null, BYTES, 5)),
        REFUSED,
        "another throughput test");
  }

  @Test
  void theBudgetIsForBothRolesAndSaysWhenThereIsMore() throws IOException {
    try (RelayNode poor = TestRelay.on(Transport.EPOLL).testBudget(BYTES + 65_536).start("poor")) {
      expect(poor, test, key, BYTES);
      assertThat(run(r1, request(test, hop(poor), key, null, BYTES, 5)).bytes()).isEqualTo(BYTES);
      ThroughputTest more = request(UUID.randomUUID(), hop(r1), key, null, BYTES, 5);
      assertThatThrownBy(() -> run(poor, more))
          .isInstanceOfSatisfying(
              ProblemException.class,
              problem -> {
                assertThat(problem.status()).isEqualTo(429);
                assertThat(problem.type()).isEqualTo(REFUSED);
                assertThat(problem.retryAfter())
                    .isBetween(Duration.ofMinutes(55), Duration.ofMinutes(62));
              });
    }
  }

  @Test
  void aRelayWithoutABudgetRunsNone() throws IOException {
    try (RelayNode none = TestRelay.on(Transport.EPOLL).testBudget(0).start("none")) {
      problem(() -> expect(none, test, key, BYTES), REFUSED, "--test-budget");
    }
  }

  @Test
  void anUnknownCongestionControlIsNamed() {
    problem(
        () -> run(r1, request(test, hop(r2), key, "telepathy", BYTES, 5)),
        "urn:cascade:problem:unsupported",
        "telepathy");
  }

  @Test
  void timesBeyondTheContractAreInvalid() {
    problem(
        () -> run(r1, request(test, hop(r2), key, null, BYTES, 31)),
        "urn:cascade:problem:invalid-request",
        "maxSeconds");
  }

  @Test
  void aTransportThatSeesNoTcpSaysSo() throws IOException {
    try (RelayNode blind = TestRelay.on(Transport.NIO).start("blind")) {
      problem(
          () -> run(blind, request(test, hop(r2), key, null, BYTES, 5)),
          "urn:cascade:problem:unsupported",
          "fix: --transport epoll");
      expect(blind, test, key, BYTES); // but it can receive
      assertThat(run(r1, request(test, hop(blind), key, null, BYTES, 5)).bytes()).isEqualTo(BYTES);
    }
  }

  @Test
  void nobodyListens() throws IOException {
    try (Socket bound = new Socket()) {
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Endpoint nowhere = new Endpoint("127.0.0.1", bound.getLocalPort());
      problem(
          () -> run(r1, request(test, nowhere, key, null, BYTES, 5)),
          FAILED,
          "cannot connect to r2");
    }
  }

  @Test
  void aFarEndThatVanishesIsNamed() throws IOException {
    try (FarEnd far = new FarEnd(connection -> connection.accept().read(100_000).reset())) {
      problem(() -> from(r1, far.endpoint(), null, BYTES, 5), FAILED, "vanished: r2");
    }
    assertNothingRuns();
  }

  @Test
  void aFarEndThatSaysNothingIsNamed() throws IOException {
    try (FarEnd far = new FarEnd(FarEnd.Connection::waitForEnd)) {
      problem(() -> from(r1, far.endpoint(), null, BYTES, 5), FAILED, "did not accept the test");
    }
    assertNothingRuns();
  }

  @Test
  void aFarEndThatStopsReadingIsNamed() throws IOException {
    try (FarEnd far = new FarEnd(connection -> connection.accept().hold())) {
      problem(
          () -> from(r1, far.endpoint(), null, 64 << 20, 10),
          FAILED,
          "stalled: r2 acknowledged nothing");
    }
    assertNothingRuns();
  }

  /** Behind a chain, relays on the way hold what the far end has not got. */
  @Test
  void aFarEndThatGetsTheLastByteLateMayConfirmAsLongAsTheTestMayLast() throws IOException {
    try (FarEnd far = new FarEnd(connection -> connection.accept().drain().wait(3).confirm(0))) {
      assertThat(from(r1, far.endpoint(), null, BYTES, 10).bytes()).isEqualTo(BYTES);
    }
  }

  @Test
  void aFarEndThatCountsWrongIsNamed() throws IOException {
    try (FarEnd far = new FarEnd(connection -> connection.accept().drain().confirm(1))) {
      problem(
          () -> from(r1, far.endpoint(), null, BYTES, 5), FAILED, (BYTES + 1) + " bytes arrived");
    }
  }

  @Test
  void aFarEndThatConfirmsBeforeTheEndIsNamed() throws IOException {
    try (FarEnd far = new FarEnd(connection -> connection.accept().read(1).confirm(0).hold())) {
      problem(() -> from(r1, far.endpoint(), null, MOST, 5), FAILED, "an unexpected answer");
    }
  }

  @Test
  void aFarEndWithoutTheKeyIsNamed() throws IOException {
    try (FarEnd far = new FarEnd(connection -> connection.with(TestChain.newKey()).accept())) {
      problem(() -> from(r1, far.endpoint(), null, BYTES, 5), FAILED, "another key");
    }
  }

  @Test
  void aSenderThatSendsMoreThanAnnouncedIsCutOff() {
    expect(r2, test, key, 65_536);
    problem(() -> run(r1, request(test, hop(r2), key, null, BYTES, 5)), FAILED, "vanished");
    assertThat(metrics(r2)).contains("tests_total{reason=\"failed\"} 1.0");
  }

  @Test
  void aStreamThatMovesBulkThroughTheSenderEndsATest() throws Exception {
    try (FarEnd far = new FarEnd(connection -> connection.accept().drainSlowly());
        BulkStream stream = new BulkStream(r1)) {
      CompletableFuture<ThroughputReport> running =
          CompletableFuture.supplyAsync(() -> from(r1, far.endpoint(), null, MOST, 30));
      await().until(() -> far.received() > 65_536);
      stream.begin();
      ThroughputReport report = running.join();
      assertThat(report.endedBy()).isEqualTo(ThroughputEnd.STREAM);
      assertThat(report.bytes()).isPositive().isLessThan(MOST);
      ThroughputTest next = request(UUID.randomUUID(), hop(r2), key, null, BYTES, 5);
      problem(() -> run(r1, next), REFUSED, "streams of this relay");
    }
  }

  @Test
  void aStreamThatMovesBulkThroughTheReceiverEndsATest() throws Exception {
    HopKey shared = HopKey.parse(key);
    expect(r2, test, key, MOST);
    try (Socket sender = connected(r2);
        BulkStream stream = new BulkStream(r2)) {
      sender
          .getOutputStream()
          .write(new TestMessage(TestMessage.Kind.TEST, test, 0).encode(shared));
      assertThat(heard(sender, shared)).isEqualTo(TestMessage.Kind.ACCEPTED);
      sender.getOutputStream().write(new byte[100_000]);
      stream.begin();
      assertThat(heard(sender, shared)).isEqualTo(TestMessage.Kind.STOPPED);
      assertThat(readOrReset(sender)).isEqualTo(-1); // though the sender did not
      assertThat(metrics(r2)).contains("tests_total{reason=\"gave-way\"} 1.0");
    }
  }

  @Test
  void ofManyTestsAtOnceNoneHangsAndTheRelaysAreFreeAfterwards() {
    // Two orchestrators know nothing of each other's tests; only the relays do.
    List<CompletableFuture<String>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      boolean there = i % 2 == 0;
      all.add(CompletableFuture.supplyAsync(() -> outcome(there), THREADS));
    }
    List<String> outcomes = all.stream().map(CompletableFuture::join).toList();
    assertThat(outcomes).allMatch(one -> one.equals("done") || one.equals(REFUSED));
    await()
        .ignoreExceptions()
        .untilAsserted(() -> {
          UUID next = UUID.randomUUID();
          expect(r2, next, key, BYTES);
          assertThat(run(r1, request(next, hop(r2), key, null, BYTES, 5)).bytes()).isEqualTo(BYTES);
        });
  }

  private String outcome(boolean there) {
    UUID id = UUID.randomUUID();
    RelayNode from = there ? r1 : r2;
    RelayNode to = there ? r2 : r1;
    try {
      expect(to, id, key, BYTES);
      run(from, request(id, hop(to), key, null, BYTES, 5));
      return "done";
    } catch (ProblemException e) {
      return e.type();
    }
  }

  @Test
  void aPathThatBecomesSlowUnderATestShowsInItsRateAndEndsItInTime() throws IOException {
    int quickly = 2 << 20;
    try (FarEnd far =
        new FarEnd(connection -> connection.accept().read(quickly).drainSlowly().confirm(0))) {
      ThroughputReport report = from(r1, far.endpoint(), null, MOST, 1);
      assertThat(report.endedBy()).isEqualTo(ThroughputEnd.SECONDS);
      assertThat(report.bytes()).isGreaterThan(quickly).isLessThan(MOST);
    }
  }

  @Test
  void aFarEndThatGivesWayEndsATest() throws IOException {
    try (FarEnd far = new FarEnd(connection -> connection.accept().read(100_000).giveWay())) {
      ThroughputReport report = from(r1, far.endpoint(), null, MOST, 30);
      assertThat(report.endedBy()).isEqualTo(ThroughputEnd.STREAM);
      assertThat(report.bytes()).isGreaterThanOrEqualTo(100_000).isLessThan(MOST);
    }
  }

  private TestMessage.Kind heard(Socket from, HopKey shared) throws IOException {
    ByteBuf bytes = Unpooled.buffer();
    try {
      TestMessage message = null;
      while (message == null) {
        bytes.writeByte(from.getInputStream().read());
        message = TestMessage.decode(bytes, test, shared);
      }
      return message.kind();
    } catch (TestMessage.Unexpected e) {
      throw new IOException(e);
    }
  }

  /** A client that writes as fast as it can through a chain of one relay, once told to. */
  private static final class BulkStream implements AutoCloseable {
    private final UUID chain = UUID.randomUUID();
    private final ServerSocket destination =
        new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    private final Socket client = new Socket();
    private final int ingress;

    BulkStream(RelayNode through) throws IOException {
      InstalledPart part =
          control(through)
              .install(
                  chain,
                  TestParts.of(
                      0,
                      600,
                      Ingress.builder().port(0).build(),
                      null,
                      null,
                      Egress.builder()
                          .host("127.0.0.1")
                          .port(destination.getLocalPort())
                          .proxyProtocol(false)
                          .build(),
                      null,
                      null),
                  SOON);
      ingress = requireNonNull(part.ingressPort());
    }

    void begin() throws IOException {
      client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), ingress));
      Thread.startVirtualThread(() -> drain(destination));
      Thread.startVirtualThread(this::write);
    }

    private void write() {
      byte[] bulk = new byte[65_536];
      try {
        while (true) {
          client.getOutputStream().write(bulk);
        }
      } catch (IOException e) {
        // The test is over.
      }
    }

    private static void drain(ServerSocket destination) {
      try (Socket from = destination.accept()) {
        from.getInputStream().transferTo(OutputStream.nullOutputStream());
      } catch (IOException e) {
        // The test is over.
      }
    }

    @Override
    public void close() throws IOException {
      client.close();
      destination.close();
    }
  }

  /** A slot that leaked would refuse the next test. */
  private void assertNothingRuns() {
    UUID next = UUID.randomUUID();
    expect(r2, next, key, BYTES);
    assertThat(run(r1, request(next, hop(r2), key, null, BYTES, 5)).bytes()).isEqualTo(BYTES);
  }

  private ThroughputReport fromOneToTwo(
      @Nullable String congestionControl, long bytes, double seconds) {
    expect(r2, test, key, bytes);
    return run(r1, request(test, hop(r2), key, congestionControl, bytes, seconds));
  }

  private ThroughputReport from(
      RelayNode relay,
      Endpoint to,
      @Nullable String congestionControl,
      long bytes,
      double seconds) {
    return run(relay, request(test, to, key, congestionControl, bytes, seconds));
  }

  private static ThroughputTest request(
      UUID id,
      Endpoint to,
      String key,
      @Nullable String congestionControl,
      long bytes,
      double seconds) {
    return ThroughputTest.builder()
        .testId(id)
        .to(to)
        .peer("r2")
        .key(key)
        .congestionControl(congestionControl)
        .maxBytes(bytes)
        .maxSeconds(seconds)
        .build();
  }

  private static ThroughputReport run(RelayNode relay, ThroughputTest request) {
    return control(relay).runThroughputTest(request, SOON);
  }

  private static void expect(RelayNode relay, UUID id, String key, long bytes) {
    control(relay)
        .openThroughputSink(
            id,
            ThroughputSink.builder().key(key).from("r1").maxBytes(bytes).maxSeconds(30.0).build(),
            SOON);
  }

  private static void problem(ThrowingCallable call, String type, String detail) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> {
              assertThat(problem.type()).isEqualTo(type);
              assertThat(problem).hasMessageContaining(detail);
            });
  }

  private static RelayControlClient control(RelayNode relay) {
    return new RelayControlClient(
        URI.create("http://127.0.0.1:" + relay.controlAddress().getPort()), null);
  }

  private static Endpoint hop(RelayNode relay) {
    return new Endpoint("127.0.0.1", relay.hopAddress().getPort());
  }

  private static Socket connected(RelayNode relay) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), relay.hopAddress().getPort());
    socket.setSoTimeout(10_000);
    return socket;
  }

  private static int readOrReset(Socket socket) {
    try {
      return socket.getInputStream().read();
    } catch (IOException e) {
      return -1;
    }
  }

  private static String metrics(RelayNode relay) {
    try (InputStream in =
        URI.create("http://127.0.0.1:" + relay.controlAddress().getPort() + "/control/v1/metrics")
            .toURL()
            .openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long refusals(RelayNode relay, String reason) {
    String series = "cascade_relay_header_refusals_total{reason=\"" + reason + "\"} ";
    return metrics(relay)
        .lines()
        .filter(line -> line.startsWith(series))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(series.length())))
        .sum();
  }

  /** A receiver that a test is made of: one connection, and what it does. */
  private final class FarEnd implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final Thread thread;
    private final AtomicLong count = new AtomicLong();

    private interface Behaviour {
      void meet(Connection connection) throws IOException;
    }

    FarEnd(Behaviour behaviour) throws IOException {
      thread =
          Thread.startVirtualThread(() -> {
            try (Socket socket = listening.accept()) {
              behaviour.meet(new Connection(socket));
            } catch (IOException e) {
              // The relay has closed it, as it should.
            }
          });
    }

    Endpoint endpoint() {
      return new Endpoint("127.0.0.1", listening.getLocalPort());
    }

    /** Bytes that it has read by now. */
    long received() {
      return count.get();
    }

    @Override
    public void close() throws IOException {
      listening.close();
      thread.interrupt();
    }

    private final class Connection {
      private final Socket socket;
      private HopKey under = HopKey.parse(key);

      Connection(Socket socket) {
        this.socket = socket;
      }

      Connection with(String another) {
        under = HopKey.parse(another);
        return this;
      }

      Connection accept() throws IOException {
        HopKey asked = HopKey.parse(key);
        ByteBuf header = Unpooled.buffer();
        try {
          while (TestMessage.decode(header, test, asked) == null) {
            header.writeByte(socket.getInputStream().read());
          }
        } catch (TestMessage.Unexpected e) {
          throw new IOException(e);
        }
        return say(TestMessage.Kind.ACCEPTED, 0);
      }

      Connection read(int bytes) throws IOException {
        count.addAndGet(socket.getInputStream().readNBytes(bytes).length);
        return this;
      }

      Connection drain() throws IOException {
        count.addAndGet(socket.getInputStream().transferTo(OutputStream.nullOutputStream()));
        return this;
      }

      /** A few megabytes a second, until the sender ends. */
      Connection drainSlowly() throws IOException {
        byte[] some = new byte[32_768];
        for (int read = 0; read >= 0; read = socket.getInputStream().read(some)) {
          count.addAndGet(read);
          LockSupport.parkNanos(1_000_000);
        }
        return this;
      }

      Connection confirm(long error) throws IOException {
        return say(TestMessage.Kind.RECEIVED, count.get() + error);
      }

      /** Says so and waits for the sender to reset. */
      void giveWay() throws IOException {
        say(TestMessage.Kind.STOPPED, count.get()).drain();
      }

      void waitForEnd() throws IOException {
        drain();
      }

      /** Longer than one message may take. */
      Connection wait(int seconds) {
        LockSupport.parkNanos(Duration.ofSeconds(seconds).toNanos());
        return this;
      }

      /** Reads nothing, and stays until the relay has had enough. */
      void hold() {
        while (!Thread.interrupted()) {
          LockSupport.parkNanos(10_000_000);
        }
      }

      void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
      }

      private Connection say(TestMessage.Kind kind, long bytes) throws IOException {
        socket.getOutputStream().write(new TestMessage(kind, test, bytes).encode(under));
        return this;
      }
    }
  }
}
