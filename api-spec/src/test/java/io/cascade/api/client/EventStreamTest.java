package io.cascade.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.orchestrator.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class EventStreamTest {
  private static final Duration AMPLE = Duration.ofSeconds(10);
  private static final Duration SHORT = Duration.ofMillis(150);
  private static final String START =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
  private static final String EVENT =
      chunk(
          "id: 7\r\nevent: RELAY_LOST\r\ndata:"
              + " {\"id\":7,\"at\":\"2026-01-01T00:00:00Z\",\"type\":\"RELAY_LOST\",\"message\":\"m\"}"
              + "\r\n\r\n");

  @Test
  void eventsComeUntilTheStreamEnds() throws Exception {
    try (RawPeer peer =
        new RawPeer(wire -> wire.send(START + chunk(": hi\n\n") + EVENT + EVENT + chunk("")))) {
      List<Event> seen = new ArrayList<>();
      new OrchestratorClient(peer.address(), null).follow(null, seen::add);
      assertThat(seen).extracting(Event::id).containsExactly(7L, 7L);
    }
  }

  @Test
  void whoHasSeenEnoughClosesTheConnection() throws Exception {
    try (RawPeer peer =
        new RawPeer(wire -> {
          wire.send(START + EVENT);
          wire.holdOpen();
        })) {
      new OrchestratorClient(peer.address(), null).follow(null, _ -> false);
      peer.awaitAbandoned();
    }
  }

  @Test
  void aCutIsAFailureAndNoEnd() throws Exception {
    try (RawPeer peer = new RawPeer(wire -> wire.send(START + EVENT))) {
      assertThatThrownBy(() -> new OrchestratorClient(peer.address(), null).follow(null, _ -> true))
          .isInstanceOf(UnreachableException.class);
    }
  }

  @Test
  void aSilentPeerIsTakenForDead() throws Exception {
    try (RawPeer peer =
        new RawPeer(wire -> {
          wire.send(START + chunk(": hi\n"));
          wire.holdOpen();
        })) {
      try (AnswerLines lines = lines(peer, AMPLE, SHORT)) {
        assertThat(lines.next()).isEqualTo(": hi");
        assertThatThrownBy(lines::next)
            .isInstanceOf(IncompleteAnswerException.class)
            .hasMessage("not a byte for 0.15 s");
      }
      peer.awaitAbandoned();
    }
  }

  @Test
  void commentsKeepAStreamAliveForLongerThanItsSilence() throws Exception {
    try (RawPeer peer =
        new RawPeer(wire -> {
          wire.send(START);
          wire.repeat(chunk(":\n"), 5);
        })) {
      try (AnswerLines lines = lines(peer, SHORT, Duration.ofSeconds(5))) {
        for (int i = 0; i < 60; i++) {
          assertThat(lines.next()).isEqualTo(":");
        }
      }
    }
  }

  @Test
  void headersThatDoNotComeAreGivenUp() throws Exception {
    try (RawPeer peer = new RawPeer(RawPeer.Wire::holdOpen)) {
      assertThatThrownBy(() -> lines(peer, SHORT, AMPLE))
          .isInstanceOf(UnreachableException.class)
          .hasMessage(peer.address() + ": no complete answer within 0.15 s");
    }
  }

  @Test
  void aProblemThatDoesNotEndIsGivenUp() throws Exception {
    try (RawPeer peer =
        new RawPeer(wire -> {
          wire.send("HTTP/1.1 503 Busy\r\nContent-Length: 100\r\n\r\n{");
          wire.holdOpen();
        })) {
      assertThatThrownBy(() -> lines(peer, SHORT, AMPLE)).isInstanceOf(UnreachableException.class);
      peer.awaitAbandoned();
    }
  }

  @Test
  void aLineWithoutEndIsGivenUp() throws Exception {
    try (RawPeer peer =
        new RawPeer(wire -> {
          wire.send(START);
          wire.repeat(chunk("x".repeat(0x1000)), 0);
        })) {
      try (AnswerLines lines = lines(peer, AMPLE, AMPLE)) {
        assertThatThrownBy(lines::next)
            .isInstanceOf(IOException.class)
            .hasMessage("a line of more than 1 MiB");
      }
      peer.awaitAbandoned();
    }
  }

  private static AnswerLines lines(RawPeer peer, Duration deadline, Duration silence) {
    return new JsonHttp(ServerAddress.unpinned(peer.address()), null)
        .lines("/", Map.of(), deadline, silence);
  }

  private static String chunk(String text) {
    return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
  }
}
