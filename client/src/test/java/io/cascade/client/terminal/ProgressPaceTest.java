package io.cascade.client.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressPaceTest {
  private static final long SECOND = 1_000_000_000;
  private static final long SIZE = 10_000_000_000L;

  /** The clock may begin with any value, a negative one as well. */
  private static final long START = -7 * SECOND;

  private final ProgressPace pace = new ProgressPace();

  @Test
  void nothingIsSaidUntilASecondOfDataExists() {
    pace.moved(0, START);
    assertThat(pace.left(SIZE, START + 60 * SECOND)).as("nothing has arrived").isEmpty();

    pace.moved(1_000, START + 60 * SECOND);
    pace.moved(2_000, START + 61 * SECOND - 1);
    assertThat(pace.bytesPerSecond(START + 61 * SECOND - 1)).isEmpty();
    assertThat(pace.left(SIZE, START + 61 * SECOND - 1)).isEmpty();
  }

  @Test
  void theTimeBeforeTheFirstByteIsNoPartOfTheRate() {
    pace.moved(0, START);
    pace.moved(1_000_000, START + 60 * SECOND);
    pace.moved(21_000_000, START + 62 * SECOND);

    assertThat(pace.bytesPerSecond(START + 62 * SECOND)).hasValue(1e7);
    assertThat(pace.left(SIZE, START + 62 * SECOND)).contains(Duration.ofSeconds(998));
  }

  @Test
  void whatWasThereBeforeIsNoPartOfTheRate() {
    pace.moved(9_000_000_000L, START);
    pace.moved(9_001_000_000L, START + SECOND);
    pace.moved(9_021_000_000L, START + 3 * SECOND);

    assertThat(pace.bytesPerSecond(START + 3 * SECOND)).hasValue(1e7);
    assertThat(pace.left(SIZE, START + 3 * SECOND)).contains(Duration.ofSeconds(98));
  }

  @Test
  void aReceiverThatBeginsAnewBeginsARate() {
    pace.moved(0, START);
    pace.moved(1_000_000, START + SECOND);
    pace.moved(500_000_000, START + 3 * SECOND);
    pace.moved(2_000_000, START + 4 * SECOND);

    assertThat(pace.bytesPerSecond(START + 9 * SECOND)).isEmpty();
  }

  @Test
  void whereNothingMovesNoTimeIsLeftToTell() {
    pace.moved(0, START);
    pace.moved(1_000_000, START + SECOND);

    assertThat(pace.bytesPerSecond(START + 9 * SECOND)).hasValue(0);
    assertThat(pace.left(SIZE, START + 9 * SECOND)).isEmpty();
  }
}
