package io.cascade.client.forward;

import io.cascade.carriage.junction.Junction;
import io.cascade.carriage.junction.JunctionMemory;
import io.cascade.carriage.junction.PipeAccounting;
import io.cascade.carriage.junction.PipeEnd;
import io.cascade.carriage.transport.Connection;
import io.cascade.segments.Reason;
import io.cascade.segments.SegmentStream;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One stream at one of its junctions. Its {@link Junction} and the connection of its own side are
 * on one event loop; its pipes are dialled by threads that may block. Thread-safe.
 */
final class ForwardedStream {
  private static final InetSocketAddress NOWHERE = InetSocketAddress.createUnresolved("segment", 0);

  private final Junction junction;
  private final AtomicInteger nextPipe = new AtomicInteger();
  private final CompletableFuture<StreamReport> ended = new CompletableFuture<>();
  private final CountDownLatch over = new CountDownLatch(1);

  /** Pipes that carry. Modified on the junction's event loop. */
  private final Map<PipeEnd, CarriedPipe> pipes = new ConcurrentHashMap<>();

  private volatile boolean established;

  /** Null until connected. */
  private volatile @Nullable Connection own;

  /**
   * @param loop of the own side's connection
   */
  ForwardedStream(EventLoop loop, SegmentStream.Settings settings) {
    this.junction =
        new Junction(
            loop,
            settings,
            JunctionMemory.UNSHARED,
            System::nanoTime,
            NOWHERE,
            NOWHERE,
            new Observer());
    junction.execute(() -> {
      loop.register(junction.connection());
      junction.carryOn(); // The time-out for a first pipe begins.
    });
  }

  EventLoop loop() {
    return junction.loop();
  }

  /** Joins the own side's connection, which must be on the same event loop, to the pipes. */
  void attach(Connection connection) {
    own = connection;
    junction.execute(() -> {
      if (junction.isOver()) {
        connection.close();
      } else {
        LocalEnd.join(connection, junction.connection());
      }
    });
  }

  /** Waits until the own side's connection, if any, is closed. */
  void awaitOwnClosed() {
    Connection connection = own;
    if (connection != null) {
      connection.closeFuture().awaitUninterruptibly();
    }
  }

  /** Closes the own side's connection, even if it has unread bytes. */
  void closeOwn() {
    Connection connection = own;
    if (connection != null) {
      connection.close();
    }
  }

  void reset(Reason reason, String detail) {
    junction.execute(() -> junction.reset(reason, detail));
  }

  /** Resets the stream, which the far junction does not know, unless a pipe is still open. */
  void unknownThere(String detail) {
    junction.execute(() -> {
      if (!junction.hasPipes()) {
        junction.reset(Reason.UNKNOWN_STREAM, detail);
      }
    });
  }

  /**
   * Resets the stream after the far junction has refused every pipe, unless it accepted one before:
   * then the stream's time-out applies.
   */
  void refusedEverywhere(PipeHandshake.Refused last) {
    junction.execute(() -> {
      if (!established) {
        junction.reset(last.reason(), last.detail());
      }
    });
  }

  int takePipeNumber() {
    return nextPipe.getAndIncrement();
  }

  /** Whether the far junction has accepted a pipe of the stream. */
  boolean established() {
    return established;
  }

  boolean isOver() {
    return ended.isDone();
  }

  /** Waits until the stream has ended; returns false on time-out. */
  boolean awaitOver(Duration time) throws InterruptedException {
    return Waiting.isDone(ended, time);
  }

  /** Waits until every pipe of an ended stream has ended, too. */
  void awaitPipesUntil(long deadlineNanos) throws InterruptedException {
    boolean _ = over.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  /** Waits for the end of the stream, without a time-out, and returns its report. */
  StreamReport report() {
    return ended.join();
  }

  int pipeCount() {
    return pipes.size();
  }

  /**
   * Carries the stream over an introduced connection from now on.
   *
   * @return null where the stream does not accept the pipe, for example after its end; the
   *     connection is closed then
   */
  @Nullable CarriedPipe join(PipeHandshake.Introduced introduced)
      throws IOException, InterruptedException {
    established = true;
    CompletableFuture<Boolean> joined = new CompletableFuture<>();
    CarriedPipe carried = new CarriedPipe();
    introduced
        .connection()
        .handOver((connection, behind) -> {
          PipeEnd pipe =
              new PipeEnd(
                  junction, introduced.number(), connection, PipeAccounting.NONE, null, false);
          junction.execute(
              () -> joined.complete(joins(pipe, carried, introduced.roundTripNanos())));
          pipe.attach(Unpooled.wrappedBuffer(Unpooled.copiedBuffer(introduced.arrived()), behind));
        });
    return Waiting.result(joined) ? carried : null;
  }

  private boolean joins(PipeEnd pipe, CarriedPipe carried, long roundTripNanos) {
    if (junction.obstacle(pipe.number()) != null) {
      pipe.close(false);
      return false;
    }
    carried.begins(() -> {
      boolean _ = junction.withdraw(pipe, "its route has changed");
    });
    pipes.put(pipe, carried);
    junction.joinIntroduced(pipe, roundTripNanos);
    return true;
  }

  /** Withdraws a pipe, which ends once everything on it has arrived. */
  void withdraw(CarriedPipe pipe) {
    junction.execute(pipe::withdraw);
  }

  /** Observes the pipes and the stream's end, on the junction's event loop. */
  private final class Observer implements Junction.Observer {
    @Override
    public void left(PipeEnd pipe) {
      ended(pipe, true);
    }

    @Override
    public void lost(PipeEnd pipe, String why) {
      ended(pipe, false);
    }

    private void ended(PipeEnd pipe, boolean cleanly) {
      CarriedPipe carried = pipes.remove(pipe);
      if (carried != null) {
        carried.ended(cleanly);
      }
    }

    @Override
    public void ended(SegmentStream stream) {
      ended.complete(StreamReport.of(stream));
      pipes.values().forEach(pipe -> pipe.ended(true));
    }

    @Override
    public void over() {
      over.countDown();
    }
  }
}
