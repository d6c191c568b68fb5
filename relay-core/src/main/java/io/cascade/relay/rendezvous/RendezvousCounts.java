package io.cascade.relay.rendezvous;

import io.cascade.carriage.rendezvous.MeetingRefusal;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.logging.Logger;

/** Counts the outcomes of requests. Refusals are logged at most once a minute. */
final class RendezvousCounts {
  private static final Logger LOG = Logger.getLogger(RendezvousCounts.class.getName());
  private static final long LOG_NANOS = Duration.ofMinutes(1).toNanos();

  private final LongAdder waited = new LongAdder();
  private final LongAdder joined = new LongAdder();
  private final LongAdder gone = new LongAdder();
  private final Map<MeetingRefusal, LongAdder> refused = new EnumMap<>(MeetingRefusal.class);
  private final LongSupplier nanoClock;
  private final Map<MeetingRefusal, Long> logged = new EnumMap<>(MeetingRefusal.class);
  private long loggedNanos;

  RendezvousCounts(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.loggedNanos = nanoClock.getAsLong() - LOG_NANOS;
    for (MeetingRefusal each : MeetingRefusal.values()) {
      refused.put(each, new LongAdder());
    }
  }

  void waited() {
    waited.increment();
  }

  void joined() {
    joined.increment();
  }

  /** The end left before it was joined. */
  void gone() {
    gone.increment();
  }

  void refused(MeetingRefusal why) {
    LongAdder count = refused.get(why);
    if (count != null) {
      count.increment();
    }
  }

  Map<String, Long> byCode() {
    Map<String, Long> sums = new TreeMap<>();
    sums.put("waiting", waited.sum());
    sums.put("joined", joined.sum());
    sums.put("gone", gone.sum());
    refused.forEach((why, count) -> sums.put(why.code(), count.sum()));
    return sums;
  }

  /** Logs in one line what was refused since the last time, if that was at least a minute ago. */
  synchronized void log() {
    long now = nanoClock.getAsLong();
    if (now - loggedNanos < LOG_NANOS) {
      return;
    }
    StringBuilder line = new StringBuilder();
    refused.forEach((why, count) -> {
      long sum = count.sum();
      Long before = logged.put(why, sum);
      long more = sum - (before == null ? 0 : before);
      if (more > 0) {
        line.append(line.isEmpty() ? "" : ", ").append(more).append(" of ").append(why.code());
      }
    });
    if (!line.isEmpty()) {
      loggedNanos = now;
      LOG.info("rendezvous refused: " + line);
    }
  }
}
