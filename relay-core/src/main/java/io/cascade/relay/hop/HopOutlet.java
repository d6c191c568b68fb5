package io.cascade.relay.hop;

import io.cascade.relay.socket.Sockets;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.CloseReason.ConnectFailed;
import io.cascade.relay.stream.Outlet;
import io.cascade.relay.stream.StreamSettings;
import io.cascade.relay.stream.StreamStart;
import io.cascade.relay.tls.Fingerprint;
import io.cascade.relay.tls.HopTls;
import io.cascade.relay.tls.TlsRecords;
import io.cascade.relay.transport.SocketTuning;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The way on to the next relay. Keeps connections ready on every event loop, so that a stream's
 * first byte leaves with its header at once; dials when there is none.
 *
 * <p>A connection can die unnoticed while it waits. Then the stream is offered another one, with
 * the same counter in its header: should the next relay have seen the first header after all, it
 * refuses the second, so that no stream is ever started twice. A new one where the first was
 * silent, since what waits with it is as old.
 */
public final class HopOutlet implements Outlet {
  private static final long REDIAL_MILLIS = 20;
  private static final long REFILL_AFTER_LOSS_MILLIS = 1_000;

  private final UUID chain;
  private final int nextIndex;
  private final InetSocketAddress next;
  private final HopKey key;
  private final @Nullable Security security;
  private final Sockets sockets;
  private final StreamSettings settings;
  private final IdentityHashMap<EventExecutor, Shelf> shelves = new IdentityHashMap<>();
  private final AtomicLong counter;
  private final AtomicInteger ready = new AtomicInteger();
  private volatile boolean closed;

  /**
   * How the hop is encrypted.
   *
   * @param tls this relay's
   * @param next the next relay's certificate
   */
  public record Security(HopTls tls, Fingerprint next) {}

  /**
   * @param nextIndex the next relay's index in the chain
   * @param next its hop port, resolved
   * @param security null where the hop is not encrypted
   * @param warm how many connections to keep ready, spread over the event loops
   * @param usedCounter the last one that was used with the key, 0 with a fresh one
   */
  public HopOutlet(
      UUID chain,
      int nextIndex,
      InetSocketAddress next,
      HopKey key,
      @Nullable Security security,
      Sockets sockets,
      StreamSettings settings,
      int warm,
      long usedCounter) {
    this.chain = chain;
    this.counter = new AtomicLong(usedCounter);
    this.nextIndex = nextIndex;
    this.next = next;
    this.key = key;
    this.security = security;
    this.sockets = sockets;
    this.settings = settings;
    int loops = 0;
    for (EventExecutor _ : sockets.loops()) {
      loops++;
    }
    int index = 0;
    for (EventExecutor loop : sockets.loops()) {
      int share = warm / loops + (index < warm % loops ? 1 : 0);
      shelves.put(loop, new Shelf((EventLoop) loop, share));
      index++;
    }
  }

  /**
   * Fills the shelves. Dials again until the first connection is ready, since the next relay is
   * being installed at this very moment; then failures count.
   *
   * @return completes when every connection is ready, or exceptionally after {@code deadlineNanos}
   */
  public CompletableFuture<Void> warmUp(long deadlineNanos) {
    return CompletableFuture.allOf(
        shelves.values().stream()
            .map(shelf -> shelf.warmUp(deadlineNanos))
            .toArray(CompletableFuture[]::new));
  }

  @Override
  public void open(
      StreamStart start, EventLoop loop, StreamSettings streamSettings, Onward stream) {
    HopHeader header = HopHeader.stream(chain, nextIndex, counter.incrementAndGet(), start);
    shelf(loop).give(new Opening(header, loop, stream));
  }

  /**
   * Where a successor's counters may begin, behind what this process may still use for connections
   * that are under way, and within what the next relay takes out of order.
   */
  public long successorsCounter() {
    return counter.get() + ReplayWindow.SIZE / 4;
  }

  @Override
  public String target() {
    return next.getHostString() + ":" + next.getPort();
  }

  @Override
  public int ready() {
    return ready.get();
  }

  @Override
  public void close() {
    closed = true;
    shelves.values().forEach(Shelf::clear);
  }

  private Shelf shelf(EventLoop loop) {
    Shelf shelf = shelves.get(loop);
    if (shelf == null) {
      throw new IllegalStateException("an event loop of another relay");
    }
    return shelf;
  }

  /**
   * Connects, and shakes hands where the hop is encrypted. Then {@code connection} is in the
   * pipeline, and its listener hears of the connection's death.
   */
  private void dial(EventLoop loop, HopConnection connection, Dialled dialled) {
    Security over = security;
    if (over == null) {
      connect(loop, connection, _ -> dialled.connected(), dialled);
      return;
    }
    TlsRecords records = over.tls().dialling(next, over.next());
    connect(loop, records, channel -> shakeHands(channel, records, connection, dialled), dialled);
  }

  private void connect(
      EventLoop loop, ChannelHandler first, Consumer<Channel> then, Dialled dialled) {
    SocketTuning tuning = settings.onward().tuning();
    Duration timeout = settings.connectTimeout();
    Future<Channel> connecting = sockets.connect(loop, next, tuning, timeout, true, first);
    connecting.addListener(_ -> {
      if (connecting.isSuccess()) {
        Channel channel = connecting.getNow();
        tuning.keepAlive(channel);
        then.accept(channel);
      } else {
        dialled.failed(connecting.cause());
      }
    });
  }

  private void shakeHands(
      Channel channel, TlsRecords records, HopConnection connection, Dialled dialled) {
    Future<Void> established = records.established();
    ScheduledFuture<?> timeout =
        channel
            .eventLoop()
            .schedule(
                () -> channel.close(), settings.connectTimeout().toNanos(), TimeUnit.NANOSECONDS);
    established.addListener(_ -> {
      timeout.cancel(false);
      if (established.isSuccess()) {
        channel.pipeline().addLast(connection);
        dialled.connected();
      } else {
        channel.close();
        dialled.failed(established.cause());
      }
    });
  }

  private interface Dialled {
    void connected();

    void failed(Throwable cause);
  }

  /** The connections kept ready on one event loop, whose thread alone touches it. */
  private final class Shelf {
    private final EventLoop loop;
    private final int target;
    private final ArrayDeque<HopConnection> waiting = new ArrayDeque<>();
    private int coming;
    private boolean refillScheduled;

    Shelf(EventLoop loop, int target) {
      this.loop = loop;
      this.target = target;
    }

    CompletableFuture<Void> warmUp(long deadlineNanos) {
      CompletableFuture<?>[] all = new CompletableFuture<?>[target];
      for (int i = 0; i < target; i++) {
        CompletableFuture<Void> one = new CompletableFuture<>();
        all[i] = one;
        loop.execute(() -> prepare(one, deadlineNanos));
      }
      return CompletableFuture.allOf(all);
    }

    void give(Opening opening) {
      HopConnection connection = waiting.poll();
      while (connection != null && !connection.usable()) {
        ready.decrementAndGet();
        connection = waiting.poll();
      }
      if (connection == null) {
        opening.dial();
      } else {
        ready.decrementAndGet();
        opening.offer(connection, true);
      }
      refill();
    }

    void clear() {
      loop.execute(() -> drop("the chain is gone"));
    }

    /** New connections in the place of those that wait. */
    void renew() {
      drop("another one was silent");
      refill();
    }

    private void drop(String why) {
      for (HopConnection connection : waiting) {
        ready.decrementAndGet();
        connection.listener(new Forgotten());
        connection.die(why);
      }
      waiting.clear();
    }

    private void refill() {
      // Counted once: an attempt that fails at once, as without a free descriptor, is not repeated
      // here, or this would never end.
      for (int missing = target - waiting.size() - coming; !closed && missing > 0; missing--) {
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

    /** Dials, greets, and puts the connection on the shelf. */
    private void prepare(CompletableFuture<Void> prepared, long deadlineNanos) {
      coming++;
      HopConnection connection = new HopConnection(key, new Forgotten());
      connection.listener(new Greeting(prepared, deadlineNanos));
      dial(
          loop,
          connection,
          new Dialled() {
            @Override
            public void connected() {
              connection.ask(
                  HopHeader.greeting(chain, nextIndex, counter.incrementAndGet()),
                  settings.connectTimeout());
              connection.channel().flush();
            }

            @Override
            public void failed(Throwable cause) {
              notPrepared(prepared, deadlineNanos, String.valueOf(cause.getMessage()));
            }
          });
    }

    private void notPrepared(CompletableFuture<Void> prepared, long deadlineNanos, String why) {
      coming--;
      if (!closed && System.nanoTime() < deadlineNanos) {
        loop.schedule(() -> prepare(prepared, deadlineNanos), REDIAL_MILLIS, TimeUnit.MILLISECONDS);
      } else {
        prepared.completeExceptionally(new ConnectException(target() + ": " + why));
      }
    }

    private final class Greeting implements HopConnection.Listener {
      private final CompletableFuture<Void> prepared;
      private final long deadlineNanos;
      private boolean shelved;

      Greeting(CompletableFuture<Void> prepared, long deadlineNanos) {
        this.prepared = prepared;
        this.deadlineNanos = deadlineNanos;
      }

      @Override
      public void answered(HopConnection connection, ByteBuf early) {
        early.release();
        shelved = true;
        coming--;
        if (closed) {
          connection.listener(new Forgotten());
          connection.die("the chain is gone");
        } else {
          waiting.add(connection);
          ready.incrementAndGet();
        }
        prepared.complete(null);
      }

      @Override
      public void died(HopConnection connection, String why) {
        if (!shelved) {
          notPrepared(prepared, deadlineNanos, why);
        } else if (waiting.remove(connection)) {
          ready.decrementAndGet();
          refillLater();
        }
      }
    }
  }

  /** A stream on its way to the next relay. */
  private final class Opening implements HopConnection.Listener {
    private static final int MOST_WARM_ATTEMPTS = 4;

    /** Of a destination, which its relay tries one after the other. */
    private static final int MOST_ADDRESSES = 4;

    private final HopHeader header;
    private final EventLoop loop;
    private final Onward stream;
    private int warmAttempts;
    private boolean warm;

    Opening(HopHeader header, EventLoop loop, Onward stream) {
      this.header = header;
      this.loop = loop;
      this.stream = stream;
    }

    void offer(HopConnection connection, boolean isWarm) {
      warm = isWarm;
      connection.listener(this);
      connection.ask(header, settings.connectTimeout());
      stream.offered(connection.channel(), isWarm);
      connection.channel().flush();
    }

    void dial() {
      HopConnection connection = new HopConnection(key, this);
      HopOutlet.this.dial(
          loop,
          connection,
          new Dialled() {
            @Override
            public void connected() {
              if (stream.waiting()) {
                offer(connection, false);
              } else {
                connection.listener(new Forgotten());
                connection.die("the stream has ended");
              }
            }

            @Override
            public void failed(Throwable cause) {
              stream.failed(explain(cause, target()));
            }
          });
    }

    @Override
    public void answered(HopConnection connection, ByteBuf early) {
      StreamStart start = header.start();
      if (nextIndex == 1 && start != null && start.awaited()) {
        // From here on nobody else may be offered the stream: the chain has it.
        Duration within = settings.connectTimeout().multipliedBy(MOST_ADDRESSES + 1);
        connection.channel().pipeline().addLast(new VerdictReader(early, within, new Awaiting()));
      } else {
        stream.confirmed(connection.channel(), early);
      }
    }

    /** The next relay has the stream; the destination is being connected to. */
    private final class Awaiting implements VerdictReader.Listener {
      @Override
      public void said(Channel channel, Verdict verdict, ByteBuf early) {
        ConnectFailed.Kind failure = verdict.failure();
        if (failure == null) {
          stream.confirmed(channel, early);
          return;
        }
        early.release();
        fail(new CloseReason.DestinationFailed(failure, "through " + target()));
      }

      @Override
      public void silent(Channel channel, String why) {
        fail(new CloseReason.NotConfirmed(target() + ": " + why));
      }

      private void fail(CloseReason why) {
        if (stream.waiting()) {
          stream.failed(why);
        }
      }
    }

    @Override
    public void died(HopConnection connection, String why) {
      if (!stream.waiting()) {
        return;
      }
      stream.lost(connection.channel());
      if (!warm) {
        stream.failed(new CloseReason.NotConfirmed(target() + ": " + why));
      } else if (connection.silent()) {
        // Those that wait are of the same age: each would take the stream as long again.
        shelf(loop).renew();
        dial();
      } else if (++warmAttempts < MOST_WARM_ATTEMPTS) {
        shelf(loop).give(this);
      } else {
        dial();
      }
    }
  }

  /** Nobody waits for the connection any more. */
  private static final class Forgotten implements HopConnection.Listener {
    @Override
    public void answered(HopConnection connection, ByteBuf early) {
      early.release();
    }

    @Override
    public void died(HopConnection connection, String why) {}
  }

  /** What a failed connection attempt means for a stream. */
  public static ConnectFailed explain(Throwable cause, String target) {
    return ConnectFailed.of(cause, target);
  }
}
