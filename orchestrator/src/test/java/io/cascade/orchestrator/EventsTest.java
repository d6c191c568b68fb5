package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Event;
import io.cascade.api.orchestrator.EventType;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked
class EventsTest extends RigTest {
  @Test
  void aChainsLifeIsTold() {
    rig.live("r1");
    UUID chain = rig.openVia("r1").id();
    rig.client().close(chain, false);

    List<Event> events =
        rig.events().stream().filter(event -> chain.equals(event.chainId())).toList();

    assertThat(events).extracting(Event::type).containsOnly(EventType.CHAIN_STATE);
    assertThat(events)
        .extracting(Event::state)
        .containsExactly(
            ChainState.PLANNING,
            ChainState.INSTALLING,
            ChainState.READY,
            ChainState.CLOSING,
            ChainState.CLOSED);
    assertThat(events.get(2).message()).contains("at 127.0.0.1:4").contains("via r1");
  }

  @Test
  void aSubscriberResumesAfterTheLastEventThatItSaw() {
    rig.relay("r1").register();
    rig.relay("r2").register();
    long first = rig.events().getFirst().id();

    List<Event> seen = new CopyOnWriteArrayList<>();
    rig.client()
        .follow(
            first,
            event -> {
              seen.add(event);
              return false;
            });

    assertThat(seen.getFirst().id()).isEqualTo(first + 1);
    assertThat(seen.getFirst().relay()).isEqualTo("r2");
  }

  @Test
  void withoutAPlaceToResumeFromASubscriberSeesWhatComesNext() {
    rig.relay("before").register();
    List<Event> seen = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> following =
        CompletableFuture.runAsync(() ->
            rig.client()
                .follow(
                    null,
                    event -> {
                      seen.add(event);
                      return false;
                    }));

    await()
        .until(() -> {
          rig.relay("r-" + UUID.randomUUID()).register();
          return following.isDone();
        });

    assertThat(seen).hasSize(1);
    assertThat(seen.getFirst().relay()).isNotEqualTo("before");
  }

  @Test
  void anEventReadsAsTheStandardSays() throws Exception {
    rig.relay("r1").register();
    var connection =
        (java.net.HttpURLConnection)
            rig.address().resolve("/api/v1/events").toURL().openConnection();
    connection.setRequestProperty("Last-Event-ID", "0");
    assertThat(connection.getContentType()).startsWith("text/event-stream");
    try (var lines =
        new java.io.BufferedReader(
            new java.io.InputStreamReader(
                connection.getInputStream(), java.nio.charset.StandardCharsets.UTF_8))) {
      assertThat(lines.readLine()).startsWith(":");
      assertThat(lines.readLine()).isEmpty();
      assertThat(lines.readLine()).matches("id: [0-9]+");
      assertThat(lines.readLine()).isEqualTo("event: RELAY_REGISTERED");
      assertThat(lines.readLine()).startsWith("data: {").contains("\"relay\":\"r1\"");
      assertThat(lines.readLine()).isEmpty();
    }
  }

  @Test
  void aPlaceThatIsNoNumberIsRefused() {
    for (String id : List.of("yesterday", "-1")) {
      Rig.Response answer = rig.call("GET", "/api/v1/events", null, "Last-Event-ID", id);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.problem().type()).isEqualTo("urn:cascade:problem:invalid-request");
    }
  }

  @Test
  void stoppingEndsTheStreamAndIsNotHeldUpByIt() {
    CompletableFuture<Void> following =
        CompletableFuture.runAsync(() -> {
          try {
            rig.client().follow(0L, _ -> true);
          } catch (UnreachableException e) {
            // A cut is as good an end.
          }
        });
    rig.relay("r1").register();

    rig.stop();

    await().until(following::isDone);
    rig.startAgain();
    assertThat(Objects.requireNonNull(rig.client().relays()).relays()).hasSize(1);
  }
}
