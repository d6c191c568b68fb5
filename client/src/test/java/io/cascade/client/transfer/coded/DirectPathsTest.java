package io.cascade.client.transfer.coded;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.HostPort;
import io.cascade.carriage.rendezvous.AddressQuestion;
import io.cascade.carriage.rendezvous.MeetingNumber;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two ends and a relay on a network in memory, with NATs that let in who was spoken to. */
@Timeout(60)
class DirectPathsTest {
  private static final InetSocketAddress RELAY = address("192.0.2.1", 7_414);
  private static final Observer OBSERVER =
      new Observer(
          new HostPort("192.0.2.1", 7_414), MeetingNumber.of(new byte[MeetingNumber.BYTES]));
  private static final Duration BETWEEN = Duration.ofMillis(20);

  private final List<End> ends = new CopyOnWriteArrayList<>();
  private final CodedInvitation session = CodedInvitation.random();

  @Test
  void anEndLearnsItsAddressFromTheRelay() throws Exception {
    End sender = new End("198.51.100.2", false);

    assertThat(sender.paths.observed(OBSERVER)).contains(sender.seenBy(RELAY));
  }

  @Test
  void aRelayThatDoesNotAnswerIsGivenUp() throws Exception {
    End sender = new End("198.51.100.2", false);
    Observer silent = new Observer(new HostPort("192.0.2.9", 7_414), OBSERVER.meeting());

    assertThat(sender.paths.observed(silent)).isEmpty();
  }

  @Test
  void anAnswerOfAnotherThanTheRelayIsNotBelieved() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    DirectPaths[] paths = new DirectPaths[1];
    paths[0] =
        new DirectPaths(
            (datagram, _) -> {
              asked.incrementAndGet();
              AddressQuestion question = requireNonNull(AddressQuestion.decode(datagram));
              paths[0].received(question.answer(RELAY), address("192.0.2.66", 1));
            },
            BETWEEN);

    assertThat(paths[0].observed(OBSERVER)).isEmpty();
    assertThat(asked).hasPositiveValue();
  }

  @Test
  void natsThatKeepPortsLetBothEndsIn() throws Exception {
    assertThat(search(new End("198.51.100.2", false), new End("203.0.113.2", false))).isTrue();
  }

  @Test
  void natsThatTakeAnotherPortForEachPeerLetNobodyIn() throws Exception {
    assertThat(search(new End("198.51.100.2", true), new End("203.0.113.2", true))).isFalse();
    assertThat(ends).allSatisfy(end -> assertThat(end.sent.get()).isLessThan(8 * 30));
  }

  @Test
  void checksWithAnotherKeyAreNotAnswered() throws Exception {
    End receiver = new End("203.0.113.2", false);
    End stranger = new End("198.51.100.2", false);
    CodedInvitation forged = new CodedInvitation(session.name(), new byte[32]);
    CompletableFuture<?> accepting =
        background(() -> receiver.paths.search(session, false, stranger.candidates()));

    assertThat(stranger.paths.search(forged, true, receiver.candidates())).isEmpty();
    accepting.join();
  }

  @Test
  void anEndDoesNotTakeItsOwnCheckForTheOthers() throws Exception {
    DirectPaths[] paths = new DirectPaths[1];
    paths[0] = new DirectPaths((datagram, to) -> paths[0].received(datagram, to), BETWEEN);

    assertThat(paths[0].search(session, true, new Candidates(List.of(RELAY)))).isEmpty();
  }

  @Test
  void aCheckIsReadAsItWasWrittenAndAnsweredInAsManyBytes() {
    byte[] key = PathCheck.key(session.key());
    PathCheck check = new PathCheck(false, true, UUID.randomUUID(), 7);

    assertThat(PathCheck.decode(check.encode(key))).isEqualTo(check);
    assertThat(check.answer().encode(key).remaining()).isEqualTo(check.encode(key).remaining());
    assertThat(check.isAuthentic(check.encode(key), key)).isTrue();
    assertThat(check.isAuthentic(check.encode(new byte[32]), key)).isFalse();
    assertThat(PathCheck.decode(ByteBuffer.allocate(PathCheck.BYTES))).isNull();
    assertThat(PathCheck.decode(ByteBuffer.allocate(0))).isNull();
  }

  private boolean search(End sender, End receiver) throws Exception {
    Candidates ofSender = sender.candidates();
    Candidates ofReceiver = receiver.candidates();
    CompletableFuture<?> accepting =
        background(() -> receiver.paths.search(session, false, ofSender));
    Optional<InetSocketAddress> found = sender.paths.search(session, true, ofReceiver);
    accepting.join();
    found.ifPresent(at -> assertThat(ofReceiver.addresses()).contains(at));
    return found.isPresent();
  }

  /** A task that waits. */
  @FunctionalInterface
  private interface Task {
    Object run() throws InterruptedException;
  }

  private static CompletableFuture<?> background(Task task) {
    CompletableFuture<Object> done = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            done.complete(task.run());
          } catch (InterruptedException e) {
            done.completeExceptionally(e);
          }
        });
    return done;
  }

  private static InetSocketAddress address(String host, int port) {
    return new InetSocketAddress(host, port);
  }

  /** An end behind a NAT. */
  private final class End {
    final AtomicInteger sent = new AtomicInteger();
    final DirectPaths paths = new DirectPaths(this::send, BETWEEN);
    private final String outside;
    private final boolean symmetric;
    private final Map<InetSocketAddress, Integer> ports = new ConcurrentHashMap<>();
    private final Set<InetSocketAddress> spokenTo =
        java.util.Collections.synchronizedSet(new HashSet<>());

    /**
     * @param symmetric whether the NAT takes another port for each peer
     */
    End(String outside, boolean symmetric) {
      this.outside = outside;
      this.symmetric = symmetric;
      ends.add(this);
    }

    Candidates candidates() throws InterruptedException {
      return new Candidates(List.of(paths.observed(OBSERVER).orElseThrow()));
    }

    InetSocketAddress seenBy(InetSocketAddress peer) {
      int port = symmetric ? ports.computeIfAbsent(peer, _ -> 40_000 + ports.size()) : 5_000;
      return address(outside, port);
    }

    private void send(ByteBuffer datagram, InetSocketAddress to) {
      sent.incrementAndGet();
      spokenTo.add(to);
      InetSocketAddress from = seenBy(to);
      if (to.equals(RELAY)) {
        AddressQuestion question = requireNonNull(AddressQuestion.decode(datagram));
        paths.received(question.answer(from), RELAY);
        return;
      }
      End reached = behind(to, from);
      if (reached != null && reached.spokenTo.contains(from)) {
        reached.paths.received(datagram, from);
      }
    }

    private @Nullable End behind(InetSocketAddress to, InetSocketAddress from) {
      return ends.stream().filter(end -> end.seenBy(from).equals(to)).findFirst().orElse(null);
    }
  }
}
