package io.cascade.client.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.relay.RelayNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MeetingTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Queue<ByteConnection> joined = new ConcurrentLinkedQueue<>();

  @Test
  void aSendersConnectionsAllComeThroughWhileFewWait() throws Exception {
    try (RelayNode relay = MeetingRelay.start(0)) {
      Meeting meeting = Meeting.named(MeetingRelay.at(relay), "m7q2x9d4kp");
      try (WaitingLine _ = meeting.await(2, one -> joined.add(one.connection()));
          ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
        Callable<ByteConnection> join = () -> meeting.join(PATIENCE, false);
        List<Future<ByteConnection>> made = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          made.add(senders.submit(join));
        }
        for (Future<ByteConnection> one : made) {
          assertThat(one.get().peer()).endsWith(" through relay " + MeetingRelay.at(relay));
        }
        Awaitility.await().until(() -> joined.size() == 8);
      }
    }
  }

  @Test
  void aReceiverThatIsJustConnectingAgainIsWaitedFor() throws Exception {
    try (RelayNode relay = MeetingRelay.start(0)) {
      Meeting meeting = Meeting.ofKey(MeetingRelay.at(relay), new byte[32]);
      FutureTask<ByteConnection> sender = new FutureTask<>(() -> meeting.join(PATIENCE, false));
      Thread thread = Thread.ofPlatform().start(sender);
      Awaitility.await()
          .alias("it was refused, and pauses")
          .until(() -> thread.getState() == Thread.State.TIMED_WAITING);
      try (WaitingLine _ = meeting.await(1, one -> joined.add(one.connection()))) {
        assertThat(sender.get().isOpen()).isTrue();
      }
    }
  }

  @Test
  void anotherNameIsAnotherMeeting() throws Exception {
    try (RelayNode relay = MeetingRelay.start(0);
        WaitingLine _ =
            Meeting.named(MeetingRelay.at(relay), "m7q2x9d4kp")
                .await(1, one -> joined.add(one.connection()))) {
      assertThatThrownBy(
              () -> Meeting.named(MeetingRelay.at(relay), "m7q2x9d4kq").join(PATIENCE, false))
          .isInstanceOf(TransferFailed.class)
          .hasMessageContaining("no end waits")
          .hasMessageContaining("start the receiver first");
      assertThat(joined).isEmpty();
    }
  }
}
