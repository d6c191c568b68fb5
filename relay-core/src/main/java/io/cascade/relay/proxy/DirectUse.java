package io.cascade.relay.proxy;

import io.cascade.relay.destination.DestinationUses;
import io.cascade.relay.pump.Direction;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.RelayStream;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes that one direct stream carries to its destination. Runs on the stream's event
 * loop.
 */
final class DirectUse implements RelayStream.StreamObserver {
  static final Duration PERIOD = Duration.ofSeconds(5);

  /** Fewer bytes in one period determine no rate. */
  static final long LEAST_BYTES = 1 << 20;

  private final String destination;
  private final DestinationUses uses;
  private final RelayStream.@Nullable StreamObserver also;
  private @Nullable ScheduledFuture<?> timer;
  private long forwardBytes;
  private long backwardBytes;
  private boolean first = true;

  /**
   * @param also another observer of the stream; null for none
   */
  DirectUse(String destination, DestinationUses uses, RelayStream.@Nullable StreamObserver also) {
    this.destination = destination;
    this.uses = uses;
    this.also = also;
  }

  @Override
  public void began(RelayStream stream) {
    uses.began(destination);
    timer =
        stream
            .inlet()
            .eventLoop()
            .scheduleAtFixedRate(
                () -> look(stream, true), PERIOD.toNanos(), PERIOD.toNanos(), TimeUnit.NANOSECONDS);
    if (also != null) {
      also.began(stream);
    }
  }

  @Override
  public void ended(RelayStream stream, CloseReason reason) {
    if (timer != null) {
      timer.cancel(false);
      look(stream, false);
    }
    if (also != null) {
      also.ended(stream, reason);
    }
  }

  private void look(RelayStream stream, boolean wholePeriod) {
    carried(stream.bytesOut(Direction.FORWARD), stream.bytesOut(Direction.BACKWARD), wholePeriod);
  }

  /**
   * Records what was passed on so far. In its first period a sending stream fills the kernel's
   * buffer, so that period shows no rate of the network.
   */
  void carried(long forwardNow, long backwardNow, boolean wholePeriod) {
    long forward = forwardNow - forwardBytes;
    long backward = backwardNow - backwardBytes;
    long bulk = Math.max(first ? 0 : forward, backward);
    forwardBytes = forwardNow;
    backwardBytes = backwardNow;
    first = false;
    if (forward + backward > 0) {
      boolean rate = wholePeriod && bulk >= LEAST_BYTES;
      uses.carried(
          destination,
          forward + backward,
          rate ? Byte.SIZE * (double) bulk / PERIOD.toSeconds() : 0);
    }
  }
}
