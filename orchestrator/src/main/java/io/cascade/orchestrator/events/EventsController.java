package io.cascade.orchestrator.events;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.Event;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.security.Caller;
import io.cascade.orchestrator.security.KeyBook;
import io.cascade.orchestrator.time.Timekeeper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/**
 * Events as they happen. Each subscriber has its own virtual thread, which waits for events and
 * blocks while the subscriber is slow, without delaying the others.
 */
@RestController
class EventsController {
  private static final Duration POLL = Duration.ofMillis(250);
  private static final Duration COMMENT_AFTER = Duration.ofSeconds(10);

  /** Time between two checks that the subscriber's key is still accepted. */
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(EventsController.class);

  private final EventLog log;
  private final KeyBook keys;
  private final Timekeeper time;

  EventsController(EventLog log, KeyBook keys, Timekeeper time) {
    this.log = log;
    this.keys = keys;
    this.time = time;
  }

  @GetMapping(value = "/events")
  void events(
      @RequestHeader(value = "Last-Event-ID", required = false) @Nullable Long lastEventId,
      HttpServletResponse response)
      throws InterruptedException {
    if (lastEventId != null && lastEventId < 0) {
      throw new Refusal(
          ProblemKind.INVALID_REQUEST, "Last-Event-ID: " + lastEventId + " (expected: >= 0)");
    }
    // Taken before the subscription is visible: a test that sees it may advance the clock.
    long begun = time.mark();
    Subscription subscription = log.subscribe(Caller.current().owner(), lastEventId);
    try {
      response.setContentType("text/event-stream;charset=UTF-8");
      response.setHeader("Cache-Control", "no-store");
      OutputStream out = response.getOutputStream();
      write(out, ": cascade\n\n");
      for (Event event : subscription.missed()) {
        write(out, text(event));
      }
      tell(subscription, out, begun);
    } catch (IOException e) {
      LOG.debug("a subscriber disconnected: {}", e.toString());
    } finally {
      log.unsubscribe(subscription);
    }
  }

  private void tell(Subscription subscription, OutputStream out, long begun)
      throws IOException, InterruptedException {
    Caller caller = Caller.current();
    long quietSince = begun;
    long lookedAt = begun;
    while (!subscription.isCut()) {
      if (time.passed(lookedAt, BETWEEN_LOOKS)) {
        if (!keys.isStillAccepted(caller)) {
          return; // the subscriber is refused when it reconnects
        }
        lookedAt = time.mark();
      }
      Event event = subscription.next(POLL);
      if (event != null) {
        write(out, text(event));
        quietSince = time.mark();
      } else if (time.passed(quietSince, COMMENT_AFTER)) {
        // Shows each end that the other is alive.
        write(out, ":\n\n");
        quietSince = time.mark();
      }
    }
  }

  private static String text(Event event) {
    return "id: "
        + event.id()
        + "\nevent: "
        + event.type()
        + "\ndata: "
        + Json.strict().writeValueAsString(event)
        + "\n\n";
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
