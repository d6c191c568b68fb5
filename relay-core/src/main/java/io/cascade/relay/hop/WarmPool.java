package io.cascade.relay.hop;

import io.cascade.carriage.transport.ConnectionError;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.net.ConnectException;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Greeted connections to the next relay that wait for a stream, on one event loop. Refills when one
 * is taken or ends. All methods except {@link #warmUp}, {@link #close} and {@link #size} are called
 * on the event loop.
 */
final class WarmPool {
  private static final long REDIAL_MILLIS = 20;
  private static final long REFILL_AFTER_LOSS_MILLIS = 1_000;

  private final EventLoop loop;
  private final int target;
  private final HopDialler dialler;
  private final Supplier<HopHeader> greetings;
  private final ArrayDeque<HopDialHandshake> waiting = new ArrayDeque<>();
  private final AtomicInteger size = new AtomicInteger();
  private int dialling;
  private boolean refillScheduled;
  private volatile boolean closed;

  /**
   * @param target number of connections to keep
   * @param greetings makes the header of the next greeting
   */
  WarmPool(EventLoop loop, int target, HopDialler dialler, Supplier<HopHeader> greetings) {
    this.loop = loop;
    this.target = target;
    this.dialler = dialler;
    this.greetings = greetings;
  }

  /** Number of ready connections. May be called from any thread. */
  int size() {
    return size.get();
  }

  /**
   * Fills the pool. Until {@code deadlineNanos} a connection that fails is dialled again.
   *
   * @return completes when the pool is full, or exceptionally when a connection failed after the
   *     deadline
   */
  CompletableFuture<Void> warmUp(long deadlineNanos) {
    CompletableFuture<?>[] all = new CompletableFuture<?>[target];
    for (int i = 0; i < target; i++) {
      CompletableFuture<Void> one = new CompletableFuture<>();
      all[i] = one;
      loop.execute(() -> prepare(one, deadlineNanos));
    }
    return CompletableFuture.allOf(all);
  }

  /** Takes a ready connection; null if there is none. */
  @Nullable HopDialHandshake take() {
    HopDialHandshake connection = waiting.poll();
    while (connection != null && !connection.isReady()) {
      size.decrementAndGet();
      connection = waiting.poll();
    }
    if (connection != null) {
      size.decrementAndGet();
    }
    return connection;
  }

  /** Closes the waiting connections and keeps none from now on. May be called from any thread. */
  void close() {
    closed = true;
    loop.execute(() -> drop("the chain was removed"));
  }

  /** Replaces the waiting connections by new ones. */
  void renew() {
    drop("replaced by new connections");
    refill();
  }

  private void drop(String why) {
    for (HopDialHandshake connection : waiting) {
      size.decrementAndGet();
      connection.abandon(why);
    }
    waiting.clear();
  }

  /** Dials the missing connections. */
  void refill() {
    // Counted once: an attempt that fails at once, for example for lack of a file descriptor, is
    // not repeated here, or the loop would never end.
    for (int missing = target - waiting.size() - dialling; !closed && missing > 0; missing--) {
      CompletableFuture<Void> one = new CompletableFuture<>();
      prepare(one, System.nanoTime());
      one.whenComplete((_, failure) -> {
        if (failure != null) {
          refillLater();
        }
      });
    }
  }

  private void refillLater() {
    if (!closed && !refillScheduled) {
      refillScheduled = true;
      loop.schedule(
          () -> {
            refillScheduled = false;
            refill();
          },
          REFILL_AFTER_LOSS_MILLIS,
          TimeUnit.MILLISECONDS);
    }
  }

  /** Dials, greets, and adds the connection to the waiting ones. */
  private void prepare(CompletableFuture<Void> prepared, long deadlineNanos) {
    dialling++;
    Greeting greeting = new Greeting(prepared, deadlineNanos);
    dialler.dial(loop, greeting, greeting);
  }

  private void notPrepared(CompletableFuture<Void> prepared, long deadlineNanos, String why) {
    dialling--;
    if (!closed && System.nanoTime() < deadlineNanos) {
      loop.schedule(() -> prepare(prepared, deadlineNanos), REDIAL_MILLIS, TimeUnit.MILLISECONDS);
    } else {
      prepared.completeExceptionally(new ConnectException(dialler.target() + ": " + why));
    }
  }

  /** A connection that is being made ready, or waits in the pool. */
  private final class Greeting implements HopDialler.Dialled, HopDialHandshake.Listener {
    private final CompletableFuture<Void> prepared;
    private final long deadlineNanos;
    private boolean answered;

    Greeting(CompletableFuture<Void> prepared, long deadlineNanos) {
      this.prepared = prepared;
      this.deadlineNanos = deadlineNanos;
    }

    @Override
    public void connected(HopDialHandshake connection) {
      connection.ask(greetings.get(), this);
      connection.channel().flush();
    }

    @Override
    public void failed(Throwable cause) {
      notPrepared(prepared, deadlineNanos, ConnectionError.words(cause));
    }

    @Override
    public void answered(HopDialHandshake connection, ByteBuf early) {
      early.release();
      answered = true;
      dialling--;
      if (closed) {
        connection.abandon("the chain was removed");
      } else {
        waiting.add(connection);
        size.incrementAndGet();
      }
      prepared.complete(null);
    }

    @Override
    public void died(HopDialHandshake connection, String why) {
      if (!answered) {
        notPrepared(prepared, deadlineNanos, why);
      } else if (waiting.remove(connection)) {
        size.decrementAndGet();
        refillLater();
      }
    }
  }
}
