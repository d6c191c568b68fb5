package io.cascade.packets.header;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SequenceTest {
  @ParameterizedTest
  @CsvSource({
    "1, 2",
    "-1, 0",
    "-1, 5",
    "2147483647, -2147483648",
    "-2147483648, -1",
    "0, 2147483647"
  })
  void comparesAcrossTheWrap(int earlier, int later) {
    assertThat(Sequence.before(earlier, later)).isTrue();
    assertThat(Sequence.before(later, earlier)).isFalse();
    assertThat(Sequence.after(later, earlier)).isTrue();
    assertThat(Sequence.after(earlier, earlier)).isFalse();
    assertThat(Sequence.max(earlier, later)).isEqualTo(later);
    assertThat(Sequence.max(later, earlier)).isEqualTo(later);
  }
}
