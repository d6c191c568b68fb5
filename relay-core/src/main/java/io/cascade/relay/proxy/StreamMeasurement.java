package io.cascade.relay.proxy;

import io.cascade.relay.pump.Direction;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.RelayStream;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Measures one stream of a trial, on its event loop, until the stream ends or has received for
 * {@link #LONG_ENOUGH}. After {@link #MOST} without either it is no longer measured.
 */
final class StreamMeasurement implements RelayStream.StreamObserver {
  private static final Duration PERIOD = Duration.ofMillis(250);
  private static final int LONG_ENOUGH = 40; // periods
  private static final int MOST = 480; // periods

  private final Consumer<StreamPace.Achieved> result;
  private @Nullable StreamPace pace;
  private @Nullable ScheduledFuture<?> timer;
  private int looks;
  private boolean done;

  /**
   * @param result receives the measurement, at most once
   */
  StreamMeasurement(Consumer<StreamPace.Achieved> result) {
    this.result = result;
  }

  @Override
  public void began(RelayStream stream) {
    StreamPace began = new StreamPace(System.nanoTime());
    pace = began;
    timer =
        stream
            .inlet()
            .eventLoop()
            .scheduleAtFixedRate(
                () -> look(stream, began),
                PERIOD.toNanos(),
                PERIOD.toNanos(),
                TimeUnit.NANOSECONDS);
  }

  @Override
  public void ended(RelayStream stream, CloseReason reason) {
    StreamPace began = pace;
    if (began == null || done) {
      return;
    }
    note(stream, began);
    if (reason instanceof CloseReason.Completed) {
      began.completed(System.nanoTime());
    }
    finish(began.achieved(stream.answeredNanos()));
  }

  private void look(RelayStream stream, StreamPace began) {
    note(stream, began);
    looks++;
    StreamPace.Achieved achieved = began.achieved(stream.answeredNanos());
    if (looks >= LONG_ENOUGH && achieved.bulk() && began.receives()) {
      finish(achieved);
    } else if (looks >= MOST) {
      finish(null);
    }
  }

  private static void note(RelayStream stream, StreamPace began) {
    began.look(
        stream.bytesOut(Direction.FORWARD), stream.bytesOut(Direction.BACKWARD), System.nanoTime());
  }

  private void finish(StreamPace.@Nullable Achieved achieved) {
    done = true;
    if (timer != null) {
      timer.cancel(false);
    }
    if (achieved != null) {
      result.accept(achieved);
    }
  }
}
