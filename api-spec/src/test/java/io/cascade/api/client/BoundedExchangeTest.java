package io.cascade.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.client.BoundedExchange.Bounds;
import io.cascade.api.client.RawPeer.Script;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(20)
class BoundedExchangeTest {
  private static final Duration SHORT = Duration.ofMillis(150);
  private static final Bounds LOOSE = new Bounds(Duration.ofSeconds(10), 1 << 20);
  private static final String HEADERS = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n";
  private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

  @ParameterizedTest
  @MethodSource
  void anAnswerThatDoesNotEndIsGivenUpAndItsConnectionClosed(String name, Script script)
      throws Exception {
    try (RawPeer peer = new RawPeer(script)) {
      assertThatThrownBy(() -> new RelayControlClient(peer.address(), null).health(SHORT))
          .as(name)
          .isInstanceOf(UnreachableException.class)
          .hasMessage(peer.address() + ": no complete answer within 0.15 s");
      peer.awaitAbandoned();
      assertThat(peer.requests).hasValue(1);
    }
  }

  static Stream<Arguments> anAnswerThatDoesNotEndIsGivenUpAndItsConnectionClosed() {
    return Stream.of(
        endless("nothing", RawPeer.Wire::holdOpen),
        endless(
            "headers and one byte",
            wire -> {
              wire.send(HEADERS + "{");
              wire.holdOpen();
            }),
        endless(
            "half the headers",
            wire -> {
              wire.send("HTTP/1.1 200 OK\r\nContent-Le");
              wire.holdOpen();
            }),
        endless(
            "a trickle of headers",
            wire -> {
              wire.send("HTTP/1.1 200 OK\r\n");
              wire.repeat("a: b\r\n", 5);
            }),
        endless(
            "a trickle of body",
            wire -> {
              wire.send(CHUNKED);
              wire.repeat("1\r\n{\r\n", 5);
            }));
  }

  private static Arguments endless(String name, Script script) {
    return Arguments.of(name, script);
  }

  @Test
  void aBodyWithoutEndIsGivenUpAtItsBound() throws Exception {
    String chunk = "1000\r\n" + "x".repeat(0x1000) + "\r\n";
    try (RawPeer peer =
        new RawPeer(wire -> {
          wire.send(CHUNKED);
          wire.repeat(chunk, 0);
        })) {
      assertThatThrownBy(() -> BoundedExchange.shared().send(get(peer), LOOSE))
          .isInstanceOf(IncompleteAnswerException.class)
          .hasMessage("an answer of more than 1 MiB");
      peer.awaitAbandoned();
    }
  }

  @Test
  void headersWithoutEndAreGivenUpAtTheirBound() throws Exception {
    try (RawPeer peer =
        new RawPeer(wire -> {
          wire.send("HTTP/1.1 200 OK\r\n");
          wire.repeat("a: " + "b".repeat(4_000) + "\r\n", 0);
        })) {
      assertThatThrownBy(() -> BoundedExchange.shared().send(get(peer), LOOSE))
          .isInstanceOf(IOException.class);
      peer.awaitAbandoned();
    }
  }

  @Test
  void anAnswerThatIsCutOffIsAFailure() throws Exception {
    try (RawPeer peer = new RawPeer(wire -> wire.send(HEADERS + "{\"status\":"))) {
      assertThatThrownBy(() -> new RelayControlClient(peer.address(), null).health(SHORT))
          .isInstanceOf(UnreachableException.class)
          .hasMessageStartingWith("no answer from " + peer.address());
    }
  }

  @Test
  void aBodyAtItsBoundIsReadWhole() throws Exception {
    String body = "é".repeat(10);
    try (RawPeer peer =
        new RawPeer(wire -> {
          wire.send("HTTP/1.1 203 OK\r\nContent-Length: 20\r\n\r\n");
          for (int i = 0; i < 10; i++) {
            wire.send("Ã©"); // the two octets of é
          }
        })) {
      assertThat(BoundedExchange.shared().send(get(peer), new Bounds(Duration.ofSeconds(10), 20)))
          .isEqualTo(new BoundedExchange.Response(203, body));
      assertThatThrownBy(() ->
              BoundedExchange.shared().send(get(peer), new Bounds(Duration.ofSeconds(10), 19)))
          .hasMessage("an answer of more than 19 bytes");
    }
  }

  @Test
  void aThreadThatIsInterruptedStopsWaiting() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    try (RawPeer peer =
        new RawPeer(wire -> {
          wire.send(HEADERS);
          asked.countDown();
          wire.holdOpen();
        })) {
      CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
      Thread caller =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  BoundedExchange.shared().send(get(peer), LOOSE);
                } catch (IOException e) {
                  interrupted.complete(Thread.currentThread().isInterrupted());
                }
              });
      asked.await();
      caller.interrupt();
      assertThat(interrupted.get()).isTrue();
      peer.awaitAbandoned();
    }
  }

  @Test
  void oneThatIsAloneClosesItsConnectionsWithItself() throws Exception {
    try (RawPeer peer =
        new RawPeer(wire -> {
          wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
          wire.holdOpen();
        })) {
      try (BoundedExchange alone = BoundedExchange.alone()) {
        assertThat(alone.send(get(peer), LOOSE).body()).isEqualTo("{}");
      }
      peer.awaitAbandoned();
    }
  }

  @Test
  void whoeverIsSharedMakesAnotherClientWhereTheOneBeforeHasEnded() throws Exception {
    try (RawPeer peer =
        new RawPeer(wire -> wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"))) {
      BoundedExchange shared = BoundedExchange.shared();
      assertThat(shared.send(get(peer), LOOSE).body()).isEqualTo("{}");
      // An error in the thread that waits for its sockets ends it in the same way.
      shared.end(client -> {
        client.shutdownNow();
        awaitEnd(client);
      });

      assertThat(shared.send(get(peer), LOOSE).body()).isEqualTo("{}");
    }
  }

  private static void awaitEnd(HttpClient client) {
    try {
      assertThat(client.awaitTermination(Duration.ofSeconds(10))).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static HttpRequest get(RawPeer peer) {
    return HttpRequest.newBuilder(peer.address()).build();
  }
}
