package io.cascade.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a relay answers is as little to be relied on as a request. */
class RelayControlClientTest {
  private static final URI RELAY = URI.create("relay:sea");
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** Three bytes each, a hundred in memory: its bound would be checked when all were there. */
  @Test
  void aListOfSmallElementsIsNotReadToItsEnd() {
    assertThatThrownBy(() -> answering("parts", 2_500_000).list(TIMEOUT))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("Token count (2000001) exceeds the maximum allowed (2000000)");
    assertThatThrownBy(() -> answering("streams", 4_000_000).streams(UUID.randomUUID(), TIMEOUT))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("Token count (2000001) exceeds the maximum allowed (2000000)");
  }

  @Test
  void aListOfAsManyStreamsAsARelayTellsOfIsRead() {
    String direction =
        """
        {"bytesIn":123456789,"bytesOut":123456789,"heldBytes":65536,"peakHeldBytes":262144,\
        "finished":false,"splicedBytes":12345,"stalls":{"dataSeconds":1.5,\
        "sinkSeconds":0.5,"budgetSeconds":0.25}}\
        """;
    String stream =
        """
        {"streamId":"%s","state":"RUNNING","openedAt":"2026-01-01T00:00:00Z","durationMillis":12.5,\
        "firstByteMillis":1.5,"client":"192.0.2.1:1234","onward":"192.0.2.2:80","warm":true,\
        "forward":%s,"backward":%s,"reason":"completed","detail":"none","pipes":[]}\
        """
            .formatted(UUID.randomUUID(), direction, direction);
    String list = "{\"streams\":[" + (stream + ",").repeat(9_999) + stream + "]}";
    RelayControlClient client =
        RelayControlClient.over(
            (_, _, _, bounds) -> {
              assertThat(list.length()).isLessThanOrEqualTo(bounds.bodyBytes());
              return new BoundedExchange.Response(200, list);
            },
            RELAY);

    assertThat(client.streams(UUID.randomUUID(), TIMEOUT).streams()).hasSize(10_000);
  }

  private static RelayControlClient answering(String list, int elements) {
    String body = "{\"" + list + "\":[" + "{},".repeat(elements - 1) + "{}]}";
    return RelayControlClient.over((_, _, _, _) -> new BoundedExchange.Response(200, body), RELAY);
  }
}
