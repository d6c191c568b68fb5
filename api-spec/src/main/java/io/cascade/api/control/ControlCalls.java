package io.cascade.api.control;

import io.cascade.api.client.BoundedExchange.Bounds;
import io.cascade.api.client.BoundedExchange.Response;
import io.cascade.api.client.IncompleteAnswerException;
import io.cascade.api.client.RelayExchange;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Concurrent calls to one relay over its control connection; each waits for the answer with its
 * number. Thread-safe; calls block.
 */
public final class ControlCalls implements RelayExchange {
  /** Most calls that wait for answers at a time; further ones are refused. */
  static final int MOST_CALLS = 512;

  /** Most bytes of all incomplete answers together: two of the longest lists. */
  static final long MOST_HELD_BYTES = 32L << 20;

  private final ControlFrames frames;
  private final Map<Long, Call> waiting = new HashMap<>();
  private long numbers;
  private long held;
  private @Nullable String ended;

  /** A call that waits for its answer, and the frames that have arrived. */
  private static final class Call {
    private final CompletableFuture<ControlMessage> answer = new CompletableFuture<>();
    private final Bounds bounds;
    private @Nullable BegunMessage begun;

    Call(Bounds bounds) {
      this.bounds = bounds;
    }

    int held() {
      return begun == null ? 0 : begun.bytes();
    }
  }

  /**
   * @param sink sends a frame, and blocks until it is accepted; is called by one thread at a time
   */
  public ControlCalls(ControlFrames.Sink sink) {
    this.frames = new ControlFrames(sink);
  }

  @Override
  public Response send(String method, String path, @Nullable String body, Bounds bounds)
      throws IOException {
    long deadline = System.nanoTime() + bounds.deadline().toNanos();
    Call call = new Call(bounds);
    long number = begin(call);
    try {
      ControlMessage request =
          new ControlMessage(number, method + " " + path, body == null ? "" : body);
      if (!frames.send(request, deadline)) {
        throw IncompleteAnswerException.late(bounds.deadline());
      }
      return response(
          call.answer.get(Math.max(deadline - System.nanoTime(), 0), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      throw IncompleteAnswerException.late(bounds.deadline());
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } finally {
      forget(number);
    }
  }

  private synchronized long begin(Call call) throws IOException {
    if (ended != null) {
      throw new IOException(ended);
    }
    if (waiting.size() >= MOST_CALLS) {
      throw new IOException(MOST_CALLS + " calls wait for its answers");
    }
    long number = numbers++;
    waiting.put(number, call);
    return number;
  }

  /** Frames of its answer that arrive later are discarded. */
  private synchronized void forget(long number) {
    Call gone = waiting.remove(number);
    if (gone != null) {
      held -= gone.held();
      gone.begun = null;
    }
  }

  /**
   * Receives a frame from the relay. Frames of an answer for which no call waits are discarded. A
   * call whose answer is too long fails at once.
   *
   * @throws IllegalArgumentException if it violates the protocol, so that the connection has to be
   *     closed
   */
  public synchronized void received(ByteBuffer bytes) {
    ControlFrame frame = ControlFrame.decode(bytes);
    Call call = waiting.get(frame.number());
    if (call == null) {
      return;
    }
    int length = frame.body().remaining();
    if (length > call.bounds.bodyBytes() - call.held()) {
      fail(frame.number(), call, IncompleteAnswerException.tooLarge(call.bounds.bodyBytes()));
    } else if (held + length > MOST_HELD_BYTES) {
      fail(
          frame.number(),
          call,
          new IOException("more than " + MOST_HELD_BYTES + " bytes of answers at a time"));
    } else {
      held += length;
      call.begun = BegunMessage.with(frame, call.begun);
      if (frame.isLast()) {
        ControlMessage whole = call.begun.whole();
        forget(frame.number());
        call.answer.complete(whole);
      }
    }
  }

  private void fail(long number, Call call, IOException why) {
    forget(number);
    call.answer.completeExceptionally(why);
  }

  /** Number of calls that wait for answers. */
  synchronized int waiting() {
    return waiting.size();
  }

  /** Bytes of incomplete answers. */
  synchronized long held() {
    return held;
  }

  /** Fails all calls, including those under way. */
  public synchronized void end(String why) {
    ended = why;
    Map.copyOf(waiting).forEach((number, call) -> fail(number, call, new IOException(why)));
  }

  private static Response response(ControlMessage answer) throws IOException {
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
