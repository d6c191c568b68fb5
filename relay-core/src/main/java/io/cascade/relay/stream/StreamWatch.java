package io.cascade.relay.stream;

import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Checks the streams of one event loop from time to time, with one timer for all of them: a timer
 * per stream would be a large part of the cost of an idle stream. Used on the loop's thread only.
 */
public final class StreamWatch {
  private static final long ROUND_MILLIS = 500;

  private final EventLoop loop;
  private @Nullable RelayStream first;
  private boolean scheduled;

  public StreamWatch(EventLoop loop) {
    this.loop = loop;
  }

  /** A place in the list of watched streams; every stream has one. */
  static final class Place {
    private @Nullable RelayStream before;
    private @Nullable RelayStream after;
    private boolean taken;
  }

  void add(RelayStream stream) {
    RelayStream next = first;
    if (next != null) {
      next.place().before = stream;
    }
    stream.place().after = next;
    stream.place().taken = true;
    first = stream;
    schedule();
  }

  void remove(RelayStream stream) {
    Place place = stream.place();
    if (!place.taken) {
      return;
    }
    RelayStream before = place.before;
    RelayStream after = place.after;
    if (before == null) {
      first = after;
    } else {
      before.place().after = after;
    }
    if (after != null) {
      after.place().before = before;
    }
    place.before = null;
    place.after = null;
    place.taken = false;
  }

  private void schedule() {
    if (!scheduled) {
      scheduled = true;
      loop.schedule(this::round, ROUND_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void round() {
    scheduled = false;
    long now = System.nanoTime();
    RelayStream stream = first;
    while (stream != null) {
      RelayStream next = stream.place().after; // a check may end this stream, but no other
      stream.look(now);
      stream = next;
    }
    if (first != null) {
      schedule();
    }
  }
}
