package io.cascade.api.control;

import io.cascade.api.client.BoundedExchange.Bounds;
import io.cascade.api.client.BoundedExchange.Response;
import io.cascade.api.client.IncompleteAnswerException;
import io.cascade.api.client.RelayExchange;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Calls of one relay over the connection that it keeps, many at a time: each waits for the answer
 * that has its number. For any number of threads; they block.
 */
public final class ControlCalls implements RelayExchange {
  /** Calls that wait for answers at a time; more are refused. */
  static final int MOST_CALLS = 512;

  /**
   * What answers that are not whole may hold together. A list of ten thousand streams has 10 MiB.
   */
  private static final long MOST_HELD_BYTES = 64L << 20;

  private final ControlFrames frames;
  private final ControlMessages answers = new ControlMessages(MOST_CALLS, MOST_HELD_BYTES);
  private final Map<Long, CompletableFuture<ControlMessage>> waiting = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private volatile @Nullable String ended;

  /**
   * @param sink sends a frame, and blocks until it is taken; is called by one thread at a time
   */
  public ControlCalls(ControlFrames.Sink sink) {
    this.frames = new ControlFrames(sink);
  }

  @Override
  public Response send(String method, String path, @Nullable String body, Bounds bounds)
      throws IOException {
    long deadline = System.nanoTime() + bounds.deadline().toNanos();
    long number = numbers.getAndIncrement();
    CompletableFuture<ControlMessage> answer = new CompletableFuture<>();
    if (waiting.size() >= MOST_CALLS) {
      throw new IOException(MOST_CALLS + " calls wait for its answers");
    }
    waiting.put(number, answer);
    try {
      String over = ended;
      if (over != null) {
        throw new IOException(over);
      }
      ControlMessage request =
          new ControlMessage(number, method + " " + path, body == null ? "" : body);
      if (!frames.send(request, deadline)) {
        throw IncompleteAnswerException.late(bounds.deadline());
      }
      return response(
          answer.get(Math.max(deadline - System.nanoTime(), 0), TimeUnit.NANOSECONDS), bounds);
    } catch (TimeoutException e) {
      throw IncompleteAnswerException.late(bounds.deadline());
    } catch (ExecutionException e) {
      throw new IOException(e.getCause() == null ? null : e.getCause().getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } finally {
      waiting.remove(number);
    }
  }

  /**
   * Takes a frame of the relay's. Not for several threads at a time.
   *
   * @throws IllegalArgumentException where it breaks the protocol: the connection is of no use any
   *     more
   */
  public void received(ByteBuffer frame) {
    ControlMessage answer = answers.add(frame);
    if (answer != null) {
      CompletableFuture<ControlMessage> call = waiting.get(answer.number());
      if (call != null) { // else nobody waits for it any more
        call.complete(answer);
      }
    }
  }

  /** Calls that wait for answers. */
  int waiting() {
    return waiting.size();
  }

  /** Fails all calls, those under way too. */
  public void end(String why) {
    ended = why;
    waiting.values().forEach(call -> call.completeExceptionally(new IOException(why)));
  }

  private static Response response(ControlMessage answer, Bounds bounds) throws IOException {
    if (answer.body().length() > bounds.bodyBytes()) {
      throw IncompleteAnswerException.tooLarge(bounds.bodyBytes());
    }
    int space = answer.line().indexOf(' ');
    try {
      return new Response(
          Integer.parseInt(space < 0 ? answer.line() : answer.line().substring(0, space)),
          answer.body());
    } catch (NumberFormatException e) {
      throw new IOException("the answer has no status", e);
    }
  }
}
