package io.cascade.api.client;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer, passed piece by piece to one reader. The next piece is requested when the
 * previous one was taken, so that at most one is buffered here.
 */
final class AnswerBody implements BodySubscriber<AnswerBody>, AutoCloseable {
  private sealed interface Event {
    record Piece(List<ByteBuffer> buffers) implements Event {}

    record Failed(Throwable cause) implements Event {}

    record Complete() implements Event {}
  }

  /** One requested piece, and the end after it. */
  private final BlockingQueue<Event> events = new ArrayBlockingQueue<>(2);

  private Flow.@Nullable Subscription subscription;
  private boolean closed;

  /** Completes at once: the body is read by {@link #next}. */
  @Override
  public CompletionStage<AnswerBody> getBody() {
    return CompletableFuture.completedStage(this);
  }

  @Override
  public synchronized void onSubscribe(Flow.Subscription given) {
    subscription = given;
    if (closed) {
      given.cancel();
    } else {
      given.request(1);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    events.add(new Event.Piece(buffers));
  }

  @Override
  public void onError(Throwable cause) {
    events.add(new Event.Failed(cause));
  }

  @Override
  public void onComplete() {
    events.add(new Event.Complete());
  }

  /**
   * Waits for the next piece.
   *
   * @return empty at the end of the body, and only there
   * @throws TimeoutException if none arrived within this number of nanoseconds
   * @throws IOException if the connection broke
   */
  List<ByteBuffer> next(long nanos) throws IOException, TimeoutException {
    while (true) {
      Event event;
      try {
        event = events.poll(nanos, TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        throw BoundedExchange.interrupted();
      }
      switch (event) {
        case null -> throw new TimeoutException();
        case Event.Complete() -> {
          return List.of();
        }
        case Event.Failed(Throwable cause) -> throw new IOException(cause.getMessage(), cause);
        case Event.Piece(List<ByteBuffer> buffers) -> {
          askForMore();
          if (buffers.stream().anyMatch(ByteBuffer::hasRemaining)) {
            return buffers;
          }
        }
      }
    }
  }

  private synchronized void askForMore() {
    if (subscription != null && !closed) {
      subscription.request(1);
    }
  }

  /** Closes the connection, unless the whole body has arrived. */
  @Override
  public synchronized void close() {
    if (!closed && subscription != null) {
      subscription.cancel();
    }
    closed = true;
  }
}
