package io.cascade.client.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Decision;
import io.cascade.client.rendezvous.MeetingRelay;
import io.cascade.client.transfer.Received;
import io.cascade.client.transfer.Sent;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.connection.SlowWire;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.wire.TransferHeader;
import io.cascade.client.verbs.FakeOrchestrator;
import io.cascade.relay.RelayNode;
import io.cascade.testing.ReservedPort;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SenderAndReceiverTest {
  private static final InetSocketAddress LOOPBACK = new InetSocketAddress("127.0.0.1", 0);
  private static final byte[] KEY = new byte[32];

  @TempDir private Path folder;
  private Path in;
  private Path file;

  @SuppressWarnings("NullAway.Init")
  SenderAndReceiverTest() {}

  @BeforeEach
  void makeAFile() throws Exception {
    in = Files.createDirectory(folder.resolve("in"));
    file = folder.resolve("report.bin");
    byte[] content = new byte[3 << 20];
    new Random(7).nextBytes(content);
    Files.write(file, content);
  }

  @Test
  void aFileGoesToWhoeverMadeTheCode() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    Progress progress = new Progress();
    try (Receiver receiver =
        Receiver.into(in).listeningAt(LOOPBACK).tellingCodes(told::add).openWithCode()) {
      String code = receiver.code().orElseThrow();

      Sent sent = Sender.toCode(code).heardBy(progress).send(file);

      Received received = receiver.next();
      assertThat(told).containsExactly(code);
      assertThat(received.file()).isEqualTo(in.resolve("report.bin"));
      assertThat(received.sha256()).isEqualTo(sent.sha256());
      assertThat(in.resolve("report.bin")).hasSameBinaryContentAs(file);
      assertThat(progress.name).isEqualTo("report.bin");
      assertThat(progress.moved).hasValue(Files.size(file));
      assertThat(progress.ended).isTrue();
    }
  }

  @Test
  void aReceiverTakesOneFileAfterTheOther() throws Exception {
    Path second = Files.writeString(folder.resolve("second.txt"), "two");
    try (Receiver receiver = Receiver.into(in).listeningAt(LOOPBACK).openWithKey(KEY)) {
      assertThat(receiver.code()).isEmpty();
      Sender sender = Sender.toKey(receiver.address(), KEY).limitedTo(1_000_000_000);

      sender.send(file);
      sender.send(second);

      assertThat(receiver.next().file()).hasFileName("report.bin");
      assertThat(receiver.next().file()).hasFileName("second.txt");
    }
  }

  @Test
  void aWrongGuessMakesACodeVoidAndAnotherOneIsTold() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    try (Receiver receiver =
        Receiver.into(in).listeningAt(LOOPBACK).tellingCodes(told::add).openWithCode()) {
      String first = receiver.code().orElseThrow();
      char last = first.charAt(first.length() - 1);
      String guess = first.substring(0, first.length() - 1) + (last == '2' ? '3' : '2');

      assertThatThrownBy(() -> Sender.toCode(guess).send(file))
          .isInstanceOf(TransferFailed.class)
          .hasMessageContaining("wrong code");

      assertThat(told).hasSize(2);
      assertThat(receiver.code()).contains(told.getLast()).isNotEqualTo(first);
      Sender.toCode(told.getLast()).send(file);
      assertThat(receiver.next().file()).hasSameBinaryContentAs(file);
    }
  }

  @Test
  void bothEndsMeetAtARelay() throws Exception {
    try (RelayNode relay = MeetingRelay.start(0)) {
      HostPort meeting = MeetingRelay.at(relay);
      try (Receiver receiver = Receiver.into(in).through(meeting).openWithCode()) {
        assertThatThrownBy(receiver::address).isInstanceOf(IllegalStateException.class);
        Sender.toCode(receiver.code().orElseThrow()).send(file);
        assertThat(receiver.next().file()).hasSameBinaryContentAs(file);
      }
      try (Receiver receiver = Receiver.into(in).through(meeting).overwriting().openWithKey(KEY)) {
        Sender.toKeyThrough(meeting, KEY).send(file);
        assertThat(receiver.next().file()).hasSameBinaryContentAs(file);
      }
    }
  }

  @Test
  void aFileGoesThroughRelaysAsWellWhereThePlanIsUndecided() throws Exception {
    try (FakeOrchestrator orchestrator = new FakeOrchestrator();
        Receiver receiver = Receiver.into(in).listeningAt(LOOPBACK).openWithKey(KEY);
        SlowWire slow = SlowWire.to(receiver.address(), 100_000)) {
      orchestrator.decision = Decision.UNDECIDED;
      orchestrator.forwardTo = receiver.address();
      OrchestratorClient client = new OrchestratorClient(URI.create(orchestrator.url()), null);

      Sender.toKey(slow.address(), KEY).planningWith(client).send(file);

      assertThat(receiver.next().file()).hasSameBinaryContentAs(file);
      assertThat(orchestrator.reported)
          .anySatisfy(one -> assertThat(one.relays()).containsExactly("r1", "r2"));
      assertThat(orchestrator.chains.values())
          .singleElement()
          .satisfies(chain -> assertThat(chain.state()).isEqualTo(ChainState.CLOSED));
    }
  }

  @Test
  void anInterruptGivesATransferUpThatHasNoWayYet() throws Exception {
    try (FakeOrchestrator orchestrator = new FakeOrchestrator()) {
      orchestrator.plans = new CountDownLatch(1); // There is no plan as long as this test runs.
      OrchestratorClient client = new OrchestratorClient(URI.create(orchestrator.url()), null);
      HostPort nobody = new HostPort("127.0.0.1", ReservedPort.untilTheEnd());
      CompletableFuture<Throwable> failure = new CompletableFuture<>();
      Thread sender =
          Thread.ofPlatform()
              .start(() ->
                  failure.complete(
                      catchThrowable(
                          () -> Sender.toKey(nobody, KEY).planningWith(client).send(file))));

      await().until(() -> sender.getState() == Thread.State.TIMED_WAITING);
      sender.interrupt();

      assertThat(failure.join())
          .isInstanceOf(TransferFailed.class)
          .hasMessageContaining("interrupted");
      orchestrator.plans.countDown();
    }
  }

  @Test
  void withoutAnAnswerOfTheOrchestratorAFileGoesDirectly() throws Exception {
    OrchestratorClient nobody =
        new OrchestratorClient(URI.create("http://127.0.0.1:" + ReservedPort.untilTheEnd()), null);
    try (Receiver receiver = Receiver.into(in).listeningAt(LOOPBACK).openWithKey(KEY)) {
      Sender.toKey(receiver.address(), KEY).planningWith(nobody).send(file);
      assertThat(receiver.next().file()).hasSameBinaryContentAs(file);
    }
  }

  @Test
  void whatCannotBeSentIsRefusedBeforeAnythingConnects() {
    Sender sender = Sender.toCode("127.0.0.1:9/4f7k-q2mz");
    assertThatThrownBy(() -> sender.send(folder.resolve("none")))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> Sender.toCode("127.0.0.1:9/4f7k"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no code");
    assertThatThrownBy(() -> Sender.toKey(new HostPort("127.0.0.1", 9), new byte[15]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least 16");
    assertThatThrownBy(() -> sender.limitedTo(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> sender.waiting(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static final class Progress implements TransferListener {
    private final AtomicLong moved = new AtomicLong();
    private volatile String name = "";
    private volatile boolean ended;

    @Override
    public void started(TransferHeader header) {
      name = header.name();
    }

    @Override
    public void moved(long bytes) {
      moved.set(bytes);
    }

    @Override
    public void ended() {
      ended = true;
    }
  }
}
