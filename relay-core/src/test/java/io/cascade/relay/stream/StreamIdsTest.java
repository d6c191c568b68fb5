package io.cascade.relay.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StreamIdsTest {
  @Test
  void noNameIsGivenTwice() {
    Set<UUID> given =
        IntStream.range(0, 100_000)
            .parallel()
            .mapToObj(_ -> StreamIds.next())
            .collect(Collectors.toSet());
    assertThat(given).hasSize(100_000);
  }

  @Test
  void aNameIsARandomUuidByItsMarks() {
    assertThat(StreamIds.next().version()).isEqualTo(4);
    assertThat(StreamIds.next().variant()).isEqualTo(2);
  }
}
