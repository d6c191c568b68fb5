package io.cascade.client.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.segments.Scheduler;
import io.cascade.segments.SegmentStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LiveJunctionsTest {
  @Test
  void aStreamThatCannotBeginForWantOfMemoryGivesItsPlaceBack() {
    List<String> told = new ArrayList<>();
    LiveJunctions live =
        new LiveJunctions(
            new JunctionListener() {
              @Override
              public void note(String line) {}

              @Override
              public void over(long stream, StreamReport report) {
                told.add("over");
              }
            });
    ForwardedStream stream =
        new ForwardedStream(
            TcpEnds.nextLoop(),
            new SegmentStream.Settings(1 << 20, Duration.ofHours(1).toNanos(), Scheduler.EARLIEST));

    live.run(
        stream,
        _ -> {
          throw new OutOfMemoryError("for a moment");
        },
        () -> told.add("place"));

    assertThat(told).containsExactly("place", "over");
  }
}
