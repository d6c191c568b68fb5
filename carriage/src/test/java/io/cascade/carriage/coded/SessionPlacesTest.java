package io.cascade.carriage.coded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SessionPlacesTest {
  private static final long MIB = 1 << 20;

  @Test
  void allSessionsTogetherTakeHalfOfTheHeap() {
    SessionPlaces places = new SessionPlaces(256 * MIB);

    for (int i = 0; i < 6; i++) {
      assertThat(places.take()).isTrue();
    }
    assertThat(places.take()).isFalse();
    assertThat(places.taken()).isEqualTo(6);
    assertThat(places.taken() * SessionPlaces.SESSION_BYTES).isLessThanOrEqualTo(128 * MIB);
  }

  @Test
  void aPlaceThatIsFreedIsTakenAgain() {
    SessionPlaces places = new SessionPlaces(40 * MIB);

    assertThat(places.take()).isTrue();
    assertThat(places.take()).isFalse();
    places.free();
    assertThat(places.take()).isTrue();
  }

  @Test
  void aSmallHeapHasAPlaceForOne() {
    assertThat(new SessionPlaces(8 * MIB).most()).isEqualTo(1);
  }
}
