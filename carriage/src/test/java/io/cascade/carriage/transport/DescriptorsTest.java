package io.cascade.carriage.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DescriptorsTest {
  @ParameterizedTest
  @CsvSource({"256, 223, 224", "1024, 959, 960", "20000, 19743, 19744"})
  void areScarceWhenTheLastOnesAreReached(long limit, int enough, int tooMany) {
    Descriptors descriptors = new Descriptors(limit);
    assertThat(descriptors.scarce()).isFalse();
    descriptors.taken(enough);
    assertThat(descriptors.scarce()).isFalse();
    descriptors.taken(tooMany);
    assertThat(descriptors.scarce()).isTrue();
    descriptors.taken(3);
    assertThat(descriptors.scarce()).isFalse();
  }
}
