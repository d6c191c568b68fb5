package io.cascade.lab.soak;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Outages of relays, each from a kill until all chains were complete again. */
final class Outages {
  private final List<Outage> all = new CopyOnWriteArrayList<>();

  /** A relay's outage; until now where it has not ended. */
  static final class Outage {
    private final int relay;
    private final long fromNanos;
    private volatile long untilNanos = Long.MAX_VALUE;

    private Outage(int relay, long fromNanos) {
      this.relay = relay;
      this.fromNanos = fromNanos;
    }

    void ended(long nowNanos) {
      untilNanos = nowNanos;
    }
  }

  Outage began(int relay, long nowNanos) {
    Outage outage = new Outage(relay, nowNanos);
    all.add(outage);
    return outage;
  }

  /** Whether one of these relays was down at some time between. */
  boolean explain(List<Integer> relays, long fromNanos, long untilNanos) {
    return all.stream()
        .anyMatch(outage ->
            relays.contains(outage.relay)
                && outage.fromNanos - untilNanos <= 0
                && (outage.untilNanos == Long.MAX_VALUE || outage.untilNanos - fromNanos >= 0));
  }

  int count() {
    return all.size();
  }
}
