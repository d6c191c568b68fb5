package io.cascade.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sizes as people write them. */
class DataSizeTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "65536, 65536",
    "4MiB, 4194304",
    "100MB, 100000000",
    "1.5kB, 1500",
    "2 GiB, 2147483648",
    "1k, 1000",
    "1TiB, 1099511627776"
  })
  void readsBinaryAndDecimalUnits(String text, long bytes) {
    assertThat(DataSize.parse(text).bytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "MiB", "-1", "4 apples", "1e9"})
  void saysWhatItExpects(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DataSize.parse(text))
        .withMessageContaining("expected: a size such as");
  }

  @Test
  void writesBinaryUnits() {
    assertThat(DataSize.format(0)).isEqualTo("0 B");
    assertThat(DataSize.format(1_536)).isEqualTo("1.50 KiB");
    assertThat(DataSize.format(1L << 30)).isEqualTo("1.00 GiB");
  }
}
