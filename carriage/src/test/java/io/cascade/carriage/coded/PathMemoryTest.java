package io.cascade.carriage.coded;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.carriage.coded.PathMemory.KnownPath;
import io.cascade.coding.control.RetainedPath;
import java.net.InetAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PathMemoryTest {
  private static final int DATAGRAM = 1_472;
  private static final long HOUR = 3_600_000_000_000L;
  private static final InetAddress PEER = InetAddress.ofLiteral("192.0.2.7");
  private static final RetainedPath LEARNED = new RetainedPath(1_000, 160_000_000, 0.01);

  private final PathMemory memory = new PathMemory();

  @Test
  void aSessionStartsWithWhatTheOneBeforeLearned() {
    memory.note(PEER, LEARNED, DATAGRAM, 0);

    assertThat(memory.start(PEER, DATAGRAM, 1)).isEqualTo(LEARNED);
    assertThat(memory.start(InetAddress.ofLiteral("192.0.2.8"), DATAGRAM, 1)).isNull();
  }

  @Test
  void bytesAreKeptWhateverTheDatagramsHold() {
    memory.note(PEER, LEARNED, DATAGRAM, 0);

    assertThat(memory.start(PEER, DATAGRAM / 2, 1))
        .isEqualTo(new RetainedPath(2_000, 160_000_000, 0.01));
  }

  @Test
  void anHourLaterNothingIsKnown() {
    memory.note(PEER, LEARNED, DATAGRAM, 0);

    assertThat(memory.start(PEER, DATAGRAM, HOUR)).isEqualTo(LEARNED);
    assertThat(memory.start(PEER, DATAGRAM, HOUR + 1)).isNull();
    assertThat(memory.known(HOUR + 1)).isEmpty();
  }

  @Test
  void whatHasProvedWrongIsForgotten() {
    memory.note(PEER, LEARNED, DATAGRAM, 0);
    memory.forget(PEER);

    assertThat(memory.start(PEER, DATAGRAM, 1)).isNull();
  }

  @Test
  void theOldestPathsMakeRoom() throws Exception {
    KnownPath path = new KnownPath(1_000_000, Duration.ofMillis(160), 0);
    for (int i = 0; i <= PathMemory.MOST_PATHS; i++) {
      memory.note(InetAddress.getByAddress(new byte[] {10, 0, (byte) (i >> 8), (byte) i}), path, i);
    }

    assertThat(memory.known(1_000))
        .hasSize(PathMemory.MOST_PATHS)
        .doesNotContainKey(InetAddress.ofLiteral("10.0.0.0"));
  }
}
