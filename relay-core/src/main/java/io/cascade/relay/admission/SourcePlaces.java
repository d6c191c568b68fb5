package io.cascade.relay.admission;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/** A bounded number of places, of which each source may have a bounded part. Thread-safe. */
public final class SourcePlaces {
  private final int most;
  private final int mostOfSource;
  private final Map<Object, Integer> taken = new HashMap<>();
  private int all;

  /** Outcome of a request for a place. */
  public enum Taking {
    TAKEN,
    /** The client's source holds as many places as it may. */
    SOURCE_FULL,
    /** All places are taken. */
    FULL
  }

  public SourcePlaces(int most, int mostOfSource) {
    this.most = most;
    this.mostOfSource = mostOfSource;
  }

  /** Takes a place. After a success the caller must call {@link #leave}. */
  public synchronized Taking enter(InetAddress client) {
    Object source = ClientSource.of(client);
    if (taken.getOrDefault(source, 0) >= mostOfSource) {
      return Taking.SOURCE_FULL;
    }
    if (all >= most) {
      return Taking.FULL;
    }
    all++;
    taken.merge(source, 1, Integer::sum);
    return Taking.TAKEN;
  }

  /** Returns a place. */
  public synchronized void leave(InetAddress client) {
    all--;
    taken.computeIfPresent(ClientSource.of(client), (_, count) -> count == 1 ? null : count - 1);
  }

  /** Places that are taken now. */
  public synchronized int taken() {
    return all;
  }
}
