package io.cascade.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.relay.LeaseRenewal;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What servers and this process do to a request that its caller should not notice. */
@Timeout(60)
class ExchangeFaultsTest {
  private static final Duration DEADLINE = Duration.ofSeconds(20);
  private static final String DONE = "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n";

  private final AtomicInteger asked = new AtomicInteger();

  /** The first connection ends without an answer, as one that was kept for too long. */
  private RawPeer endsOneConnection() throws Exception {
    return new RawPeer(wire -> {
      if (asked.incrementAndGet() > 1) {
        wire.send(DONE);
      }
    });
  }

  @Test
  void whatMayBeAskedTwiceIsAskedAgainWhereTheConnectionEndsWithoutAnAnswer() throws Exception {
    try (RawPeer peer = endsOneConnection()) {
      new RelayControlClient(peer.address(), null).remove(UUID.randomUUID(), false, DEADLINE);
    }
    assertThat(asked).hasValue(2);
  }

  @Test
  void whatMayNotBeAskedTwiceFails() throws Exception {
    try (RawPeer peer = endsOneConnection()) {
      RelayControlClient client = new RelayControlClient(peer.address(), null);
      assertThatThrownBy(() -> client.renew(new LeaseRenewal(60, List.of()), DEADLINE))
          .isInstanceOf(UnreachableException.class);
    }
    assertThat(asked).hasValue(1);
  }

  @Test
  void othersMayKeepTheCommonPoolBusy() throws Exception {
    CountDownLatch until = new CountDownLatch(1);
    for (int i = 0; i < ForkJoinPool.getCommonPoolParallelism(); i++) {
      ForkJoinPool.commonPool()
          .execute(() -> {
            try {
              until.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
    asked.set(1);
    try (RawPeer peer = endsOneConnection()) {
      new RelayControlClient(peer.address(), null).remove(UUID.randomUUID(), false, DEADLINE);
    } finally {
      until.countDown();
    }
  }
}
