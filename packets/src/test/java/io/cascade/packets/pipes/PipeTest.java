package io.cascade.packets.pipes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PipeTest {
  private static final long MILLI = 1_000_000L;

  private final Pipe pipe =
      new Pipe(new PipeId(0), new PipeProperties(40 * MILLI, 1_200_000, 3_000, 0));

  @Test
  void whatWasSentDelaysWhatFollows() {
    assertThat(pipe.arrivalNanos(1_500, 0)).isEqualTo(50 * MILLI);
    pipe.sent(1_500, 0);
    assertThat(pipe.arrivalNanos(1_500, 0)).isEqualTo(60 * MILLI);
    assertThat(pipe.arrivalNanos(1_500, 10 * MILLI)).isEqualTo(60 * MILLI);
    assertThat(pipe.arrivalNanos(1_500, 20 * MILLI)).isEqualTo(70 * MILLI);
  }

  /** It may be the one that costs money. */
  @Test
  void aWithdrawnPipeIsNotTheLastResort() {
    Pipes pipes = TestPipes.of(40, 80);
    pipes.employ(new PipeId(0), false);
    assertThat(pipes.quickest().id()).isEqualTo(new PipeId(1));

    pipes.become(new PipeId(1), false);
    assertThat(pipes.quickest().id()).isEqualTo(new PipeId(1));
    assertThat(TestPipes.set(pipes).usable()).containsExactly(pipes.at(new PipeId(1)));

    pipes.employ(new PipeId(1), false);
    assertThat(pipes.quickest().id()).as("somewhere it must go").isEqualTo(new PipeId(0));
  }

  @Test
  void whatFindsTheQueueFullTakesNoTime() {
    for (int i = 0; i < 5; i++) {
      pipe.sent(1_500, 0);
    }

    assertThat(pipe.hasRoom(1_500, 0)).isFalse();
    assertThat(pipe.arrivalNanos(1_500, 0)).isEqualTo(70 * MILLI);
    assertThat(pipe.hasRoom(1_500, 10 * MILLI)).isTrue();
  }
}
