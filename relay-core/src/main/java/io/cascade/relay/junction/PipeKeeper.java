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
 * Keeps one pipe of a stream connected at its dialling junction: dials it, and dials it again after
 * it broke, with pauses that double up to {@value #LONGEST_PAUSE_MILLIS} ms. Runs on the junction's
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

  /** Whether the far junction refused the last pipe that it answered. */
  boolean isRefused() {
    return refused;
  }

  /** Whether the far junction has accepted its pipe. */
  boolean isAccepted() {
    return accepted && pipe != null;
  }

  /** Whether its pipe began at another outlet than this. */
  boolean isElsewhereThan(Outlet other) {
    return pipe != null && !other.equals(outlet);
  }

  /** Marks the keeper as replaced; its pipe carries data until it is withdrawn. */
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
   * Withdraws the pipe of a replaced keeper.
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

  /** Dials the pipe. */
  void dial() {
    if (stage != PipeStage.IDLE && stage != PipeStage.PAUSED) {
      return;
    }
    move(Event.DIAL);
    PipeSource.Way way = near.way(index);
    if (way == null) { // the part may just be being installed again
      failed(new CloseReason.NotConfirmed("the chain accepts no streams now"));
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

  /** Ends a pause if the pipe now begins at another outlet than the one that failed. */
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
   * The pipe's first frame is followed by data at once; data that a lost connection had accepted is
   * retransmitted.
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

  /** The far junction has accepted the pipe. */
  void accepted(PipeEnd taken) {
    pauseMillis = FIRST_PAUSE_MILLIS;
    accepted = true;
    refused = false;
    near.history().answered(index, taken.ageNanos());
  }

  /** The far junction refuses the pipe: another one is dialled. */
  void refused() {
    refused = true;
    broke();
  }

  /** The pipe ended or could not be opened: another one is dialled. */
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

  /** Ends the pipe and dials none again. */
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
