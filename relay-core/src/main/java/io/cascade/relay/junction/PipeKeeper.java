package io.cascade.relay.junction;

import io.cascade.carriage.junction.PipeEnd;
import io.cascade.carriage.transport.Connection;
import io.cascade.relay.junction.PipeStage.Event;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.Outlet;
import io.cascade.relay.stream.StreamStart;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one pipe of a stream connected at its dialling junction: dials it, and dials it again when
 * it broke, after pauses that double up to {@value #LONGEST_PAUSE_MILLIS} ms. On the junction's
 * event loop.
 */
final class PipeKeeper implements Outlet.ServedStream {
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 5_000;

  private final int index;
  private final NearJunction near;
  private PipeStage stage = PipeStage.IDLE;
  private @Nullable PipeEnd pipe;
  private @Nullable PipeAccount account;
  private @Nullable Outlet outlet;
  private @Nullable ScheduledFuture<?> pause;
  private long pauseMillis = FIRST_PAUSE_MILLIS;
  private boolean triedOnce;
  private boolean accepted;
  private boolean refused;

  /**
   * @param index of the pipe in the segment
   */
  PipeKeeper(int index, NearJunction near) {
    this.index = index;
    this.near = near;
  }

  int index() {
    return index;
  }

  @Nullable PipeEnd pipe() {
    return pipe;
  }

  boolean isIdle() {
    return stage == PipeStage.IDLE;
  }

  /** Whether it has failed at least once. */
  boolean hasFailed() {
    return triedOnce;
  }

  /** Whether the far junction has refused its last pipe that was answered. */
  boolean isRefused() {
    return refused;
  }

  /** Whether it has a pipe that the far junction has taken. */
  boolean isAccepted() {
    return accepted && pipe != null;
  }

  /** Whether it has a pipe that began by another outlet than this. */
  boolean isElsewhereThan(Outlet other) {
    return pipe != null && !other.equals(outlet);
  }

  /** Hands this pipe's place to another keeper; the pipe carries data until it is withdrawn. */
  void replace() {
    move(Event.REPLACE);
    if (stage == PipeStage.OVER) {
      cancelPause();
      PipeEnd offered = pipe;
      pipe = null;
      if (offered != null) {
        near.junction().withdrawn(offered);
        offered.close(false);
      }
    }
  }

  /**
   * Withdraws a pipe whose place another keeper has.
   *
   * @return whether there is nothing left to withdraw
   */
  boolean withdraw(String why) {
    PipeEnd replaced = pipe;
    if (replaced == null) {
      return true;
    }
    return near.junction().withdraw(replaced, why);
  }

  /** Begins to have a pipe. */
  void dial() {
    if (stage != PipeStage.IDLE && stage != PipeStage.PAUSED) {
      return;
    }
    move(Event.DIAL);
    PipeSource.Way way = near.way(index);
    if (way == null) { // it may be just being installed again
      failed(new CloseReason.NotConfirmed("the chain takes no streams now"));
      return;
    }
    StreamStart start = near.start();
    account = way.account();
    outlet = way.outlet();
    way.outlet()
        .open(
            new StreamStart(start.id(), start.client(), start.ingress()),
            near.junction().loop(),
            near.settings(),
            this);
  }

  /** Ends a pause where the pipe begins by another outlet than the one that failed. */
  void dialNow(Outlet begins) {
    if (stage == PipeStage.PAUSED && !begins.equals(outlet)) {
      cancelPause();
      pauseMillis = FIRST_PAUSE_MILLIS;
      dial();
    }
  }

  @Override
  public boolean waiting() {
    return stage.isOpening() && !near.junction().isOver();
  }

  @Override
  public boolean speaks() {
    return true;
  }

  /**
   * Data follows the pipe's first frame at once; what a lost connection had taken is sent again.
   */
  @Override
  public void offered(Channel onward, boolean warm) {
    if (stage != PipeStage.DIALLING) {
      return;
    }
    move(Event.OFFER);
    PipeEnd _ = begin(Connection.of(onward));
  }

  private PipeEnd begin(Connection connection) {
    PipeEnd begun =
        near.begin(
            connection,
            Objects.requireNonNull(account),
            Objects.requireNonNull(outlet).respondsToLoss());
    pipe = begun;
    near.junction().join(begun);
    return begun;
  }

  @Override
  public void lost(Channel onward) {
    PipeEnd offered = pipe;
    pipe = null;
    if (stage == PipeStage.OFFERED) {
      move(Event.WITHDRAW);
    }
    if (offered != null) {
      near.junction().withdrawn(offered);
    }
  }

  @Override
  public void confirmed(Channel onward, ByteBuf early) {
    if (!waiting()) {
      early.release();
      onward.close();
      return;
    }
    PipeEnd confirmed = pipe == null ? begin(Connection.of(onward)) : pipe;
    move(Event.CONFIRM);
    confirmed.attach(early);
    near.confirmed();
  }

  @Override
  public void failed(CloseReason reason) {
    if (waiting()) {
      broke();
      near.failed(this, reason);
    }
  }

  /** The far junction has taken the pipe. */
  void accepted(PipeEnd taken) {
    pauseMillis = FIRST_PAUSE_MILLIS;
    accepted = true;
    refused = false;
    near.history().answered(index, taken.ageNanos());
  }

  /** The far junction does not take the pipe: another one follows. */
  void refused() {
    refused = true;
    broke();
  }

  /** The pipe is no more, or could not be had: another one follows. */
  void broke() {
    PipeEnd lost = pipe;
    pipe = null;
    accepted = false;
    triedOnce = true;
    if (stage != PipeStage.REPLACED) {
      near.history().failed(index);
    }
    if (lost != null) {
      near.junction().withdrawn(lost);
    }
    if (stage == PipeStage.OVER || stage == PipeStage.PAUSED || stage == PipeStage.IDLE) {
      return;
    }
    move(Event.FAIL);
    if (stage == PipeStage.OVER) {
      return;
    }
    long least = pauseMillis / 2;
    long millis = least + ThreadLocalRandom.current().nextLong(least + 1);
    pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
    pause = near.junction().loop().schedule(this::dial, millis, TimeUnit.MILLISECONDS);
  }

  /** Has no pipe any more. */
  void stop() {
    move(Event.STOP);
    cancelPause();
  }

  private void cancelPause() {
    ScheduledFuture<?> waiting = pause;
    if (waiting != null) {
      waiting.cancel(false);
    }
  }

  private void move(Event event) {
    stage = stage.after(event);
  }
}
