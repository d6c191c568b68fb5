package io.cascade.studies.experiment;

import io.cascade.api.relay.DirectionReport;
import io.cascade.api.relay.StreamList;
import io.cascade.api.relay.StreamReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Samples the bytes that relays hold of a chain's stream. Each relay is queried from its own site.
 */
final class QueueWatch implements AutoCloseable {
  /** Samples no relay. */
  static final QueueWatch NONE = new QueueWatch(null, List.of());

  private static final long PERIOD_MILLIS = 100;
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final @Nullable Thread watcher;
  private final List<Result.Held> samples;

  private QueueWatch(@Nullable Thread watcher, List<Result.Held> samples) {
    this.watcher = watcher;
    this.samples = samples;
  }

  static QueueWatch start(List<SiteHttp> relays, UUID chain, long originNanos) {
    List<Result.Held> samples = new ArrayList<>();
    Thread watcher =
        Thread.ofPlatform()
            .daemon()
            .name("queue-watch")
            .start(() -> watch(relays, chain, originNanos, samples));
    return new QueueWatch(watcher, samples);
  }

  private static void watch(
      List<SiteHttp> relays, UUID chain, long originNanos, List<Result.Held> samples) {
    try {
      while (true) {
        for (int i = 0; i < relays.size(); i++) {
          sample(relays.get(i), i + 1, chain, originNanos, samples);
        }
        Thread.sleep(PERIOD_MILLIS);
      }
    } catch (Exception over) {
      // Interrupted, or the chain was closed.
    }
  }

  private static void sample(
      SiteHttp control, int relay, UUID chain, long originNanos, List<Result.Held> samples)
      throws Exception {
    StreamList streams =
        control.call(
            "GET", "/control/v1/chains/" + chain + "/streams", null, StreamList.class, PATIENCE);
    double seconds = (System.nanoTime() - originNanos) / 1e9;
    long in = 0;
    long held = 0;
    for (StreamReport stream : streams.streams()) {
      DirectionReport forward = stream.forward();
      in += forward.bytesIn();
      held += forward.bytesIn() - forward.bytesOut();
    }
    synchronized (samples) {
      samples.add(new Result.Held(relay, seconds, in, held));
    }
  }

  List<Result.Held> samples() {
    synchronized (samples) {
      return List.copyOf(samples);
    }
  }

  @Override
  public void close() {
    if (watcher != null) {
      watcher.interrupt();
    }
  }
}
