package io.cascade.orchestrator.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BodyMemoryTest {
  private static final byte[] TEXT = filled("x", 3 << 20);

  private final BodyMemory memory = new BodyMemory();

  @Test
  void aCallerHasAShareAndOthersWhatIsLeft() {
    assertThat(add("relay/sea", TEXT)).isNull();
    BodyMemory.Share second = memory.open("relay/sea");
    assertThat(second.add(TEXT, 0, TEXT.length)).isNull();

    assertThat(kind(add("relay/sea", TEXT))).isEqualTo(ProblemKind.TOO_MANY_CALLS);
    assertThat(add("relay/den", TEXT)).isNull();
    second.close();
    assertThat(add("relay/sea", TEXT)).as("what was answered takes nothing").isNull();
  }

  @Test
  void allTogetherHaveABoundWhoeverCalls() {
    List<@Nullable Refusal> refusals = new ArrayList<>();
    for (int i = 0; i < 22; i++) {
      refusals.add(add(i % 2 == 0 ? null : "client/" + i, TEXT));
    }

    assertThat(refusals.subList(0, 21)).containsOnlyNulls();
    assertThat(kind(refusals.get(21))).isEqualTo(ProblemKind.TOO_MANY_BODIES);
    assertThat(memory.held()).isLessThanOrEqualTo(BodyMemory.MOST_BYTES);
  }

  @Test
  void whoeverSharesAKeyHasTheBoundOfAllAlone() {
    for (int i = 0; i < 10; i++) {
      assertThat(add(null, TEXT)).isNull();
    }
  }

  /** Two bytes become a record of sixty. */
  @Test
  void anObjectCountsForMoreThanItsText() {
    assertThat(add(null, filled("{},", 300_000))).isNull();
    assertThat(kind(add(null, filled("{},", 400_000)))).isEqualTo(ProblemKind.TOO_LARGE);
    assertThat(kind(add(null, filled("[],", 400_000)))).isEqualTo(ProblemKind.TOO_LARGE);
  }

  @Test
  void nothingIsHeldOfWhatIsClosed() {
    BodyMemory.Share one = memory.open("client/a");
    one.add(TEXT, 0, TEXT.length);
    BodyMemory.Share other = memory.open(null);
    other.add(TEXT, 0, TEXT.length);

    one.close();
    other.close();

    assertThat(memory.held()).isZero();
  }

  private @Nullable Refusal add(@Nullable String owner, byte[] body) {
    return memory.open(owner).add(body, 0, body.length);
  }

  private static @Nullable ProblemKind kind(@Nullable Refusal refusal) {
    return refusal == null ? null : refusal.kind();
  }

  private static byte[] filled(String with, int length) {
    byte[] pattern = with.getBytes(StandardCharsets.US_ASCII);
    byte[] all = new byte[length];
    for (int i = 0; i < length; i++) {
      all[i] = pattern[i % pattern.length];
    }
    return all;
  }
}
