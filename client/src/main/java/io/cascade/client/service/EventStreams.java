package io.cascade.client.service;

import com.sun.net.httpserver.HttpExchange;
import io.cascade.api.Json;
import io.cascade.client.service.ServiceProblem.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Streams of a table's changes, as Server-Sent Events. A slow reader delays no other one: when it
 * resumes reading it gets the latest state of each transfer.
 */
final class EventStreams {
  private static final int MOST = 32;
  private static final Duration COMMENT_AFTER = Duration.ofSeconds(10);

  /**
   * Shorter than {@link io.cascade.api.HttpLimits} allows an answer to take, which bounds a
   * reader's pause.
   */
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final TransferTable table;
  private final Semaphore places = new Semaphore(MOST);

  /** Distinguishes this process's numbers from those of another one. */
  private final String process;

  EventStreams(TransferTable table) {
    this.table = table;
    byte[] random = new byte[4];
    new SecureRandom().nextBytes(random);
    process = HexFormat.of().formatHex(random) + "-";
  }

  /**
   * Sends changes until the reader disconnects, or the longest time of an answer is over.
   *
   * @param only of this transfer; null for all
   */
  void serve(HttpExchange exchange, @Nullable ServedTransfer only)
      throws ServiceProblem, IOException {
    if (!places.tryAcquire()) {
      exchange.getResponseHeaders().set("Retry-After", "10");
      throw new ServiceProblem(
          Kind.TOO_MANY_STREAMS, "%d streams are open (expected: fewer)".formatted(MOST));
    }
    try {
      long after = known(exchange.getRequestHeaders().getFirst("Last-Event-ID"));
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream;charset=UTF-8");
      exchange.sendResponseHeaders(200, 0);
      tell(exchange.getResponseBody(), after, only);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      places.release();
    }
  }

  /** Number of the last change that a reader knows; 0 where that number is from another process. */
  private long known(@Nullable String lastEventId) {
    if (lastEventId == null || !lastEventId.startsWith(process)) {
      return 0;
    }
    try {
      return Long.parseLong(lastEventId.substring(process.length()));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private void tell(OutputStream out, long from, @Nullable ServedTransfer only)
      throws IOException, InterruptedException {
    long after = from;
    long began = System.nanoTime();
    write(out, ": cascade\n\n");
    while (System.nanoTime() - began < LONGEST.toNanos()) {
      List<TransferTable.Change> changes = table.changes(after, only, COMMENT_AFTER);
      for (TransferTable.Change change : changes) {
        after = change.revision();
        write(
            out,
            "id: %s%d\nevent: %s\ndata: %s\n\n"
                .formatted(
                    process,
                    after,
                    change.transfer().state(),
                    Json.strict().writeValueAsString(change.transfer())));
      }
      if (changes.isEmpty()) {
        write(out, ":\n\n"); // Keep-alive for both ends.
      }
    }
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
