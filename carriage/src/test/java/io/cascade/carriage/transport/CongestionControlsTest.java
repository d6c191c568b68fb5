package io.cascade.carriage.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class CongestionControlsTest {
  private static final List<String> KERNEL = List.of("reno", "bbr", "cubic", "vegas");

  @Test
  void thoseWithAModelAreOfferedUnlessTheOperatorNamesSome() {
    assertThat(CongestionControls.of(KERNEL, "cubic", null).offered())
        .containsExactly("reno", "bbr", "cubic");
    assertThat(CongestionControls.of(KERNEL, "cubic", List.of("cubic", "vegas")).offered())
        .containsExactly("cubic", "vegas");
  }

  @Test
  void oneThatTheKernelDoesNotGiveIsAMistake() {
    assertThatThrownBy(() -> CongestionControls.of(KERNEL, "cubic", List.of("cubic", "bbr3")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("controls: 'bbr3' (expected: some of reno, bbr, cubic, vegas)");
  }

  @Test
  void aRefusalNamesWhatIsOffered() {
    CongestionControls some = CongestionControls.of(KERNEL, "cubic", List.of("cubic", "reno"));
    assertThat(some.refusal("cubic")).isNull();
    assertThat(some.refusal("bbr")).contains("'bbr'").endsWith("(it offers cubic, reno)");
  }

  /** Otherwise a relay whose system sends with BBR would go on doing so. */
  @Test
  void aDefaultThatTheOperatorExcludesIsReplaced() {
    CongestionControls some = CongestionControls.of(KERNEL, "bbr", List.of("cubic", "reno"));
    assertThat(some.usual()).isEqualTo("cubic");
    assertThat(some.given(null)).isEqualTo("cubic");
    assertThat(some.given("reno")).isEqualTo("reno");
    CongestionControls all = CongestionControls.of(KERNEL, "bbr", null);
    assertThat(all.usual()).isEqualTo("bbr");
    assertThat(all.given(null)).isNull();
  }

  @Test
  void theKernelIsAskedByTrying() {
    assumeTrue(Transport.EPOLL.available(), "NOT TESTED: no epoll");
    assertThat(CongestionControls.of(Transport.EPOLL, null).offered()).contains("reno");
    assertThat(CongestionControls.of(Transport.NIO, null).offered()).isEmpty();
  }
}
