package io.cascade.packets.pipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.packets.header.IpAddress;
import io.cascade.packets.header.IpPrefix;
import io.cascade.packets.pipes.PipeSelection.All;
import io.cascade.packets.pipes.PipeSelection.AtMost;
import io.cascade.packets.pipes.PipeSelection.ByDelayDifference;
import io.cascade.packets.pipes.PipeSelection.ByEndpoint;
import io.cascade.packets.pipes.PipeSelection.ByLoss;
import io.cascade.packets.pipes.PipeSelection.InTurn;
import java.util.List;
import org.junit.jupiter.api.Test;

class PipeSelectionTest {
  private static final IpAddress NEAR = IpAddress.of(new byte[] {10, 0, 0, 1});
  private static final IpAddress FAR = IpAddress.of(new byte[] {10, 1, 0, 1});

  private final Pipes pipes =
      new Pipes(List.of(pipe(200, 0), pipe(40, 0.02), pipe(80, 0.001), pipe(360, 0)));

  @Test
  void eachPolicyLeavesWhatItNames() {
    assertThat(selected(new All())).containsExactly(0, 1, 2, 3);
    assertThat(selected(new ByDelayDifference(40_000_000))).containsExactly(1, 2);
    assertThat(selected(new ByLoss(0.01))).containsExactly(0, 2, 3);
    assertThat(selected(new AtMost(2))).containsExactly(1, 2);
    assertThat(selected(new InTurn(List.of(new ByLoss(0.01), new AtMost(2)))))
        .containsExactly(0, 2);
  }

  @Test
  void endpointsMayHaveTheirOwnPolicy() {
    PipeSelection far = new ByEndpoint(new IpPrefix(FAR, 16), new AtMost(1), new All());
    PipeSelection other =
        new ByEndpoint(
            new IpPrefix(IpAddress.of(new byte[] {9, 0, 0, 0}), 8), new AtMost(1), new All());

    assertThat(selected(far)).containsExactly(1);
    assertThat(selected(other)).hasSize(4);
  }

  @Test
  void aConnectionAlwaysHasAPipe() {
    assertThat(selected(new ByLoss(-1))).containsExactly(1);
    pipes.become(new PipeId(1), false);
    assertThat(selected(new ByLoss(-1))).containsExactly(2);
    assertThat(selected(new All())).containsExactly(0, 2, 3);
  }

  @Test
  void pipesGoOutOfUseAndComeBack() {
    PipeSet set = pipes.select(new AtMost(2), NEAR, FAR);

    pipes.become(new PipeId(1), false);
    assertThat(numbers(set)).doesNotContain(1).hasSize(2);
    for (int pipe : List.of(0, 2, 3)) {
      pipes.become(new PipeId(pipe), false);
    }
    assertThat(numbers(set)).as("a packet must go somewhere").containsExactly(1);
    pipes.become(new PipeId(1), true);
    assertThat(set.quickest().id().number()).isEqualTo(1);
  }

  @Test
  void aPipeThatComesUpAfterTheConnectionBeganIsUsed() {
    pipes.become(new PipeId(0), false);
    PipeSet set = pipes.select(new All(), NEAR, FAR);
    assertThat(numbers(set)).containsExactly(1, 2, 3);

    pipes.become(new PipeId(0), true);
    assertThat(numbers(set)).containsExactly(0, 1, 2, 3);
  }

  @Test
  void operatorsWithdrawAndEmployPipesOfConnectionsThatExist() {
    PipeSet set = pipes.select(new All(), NEAR, FAR);

    pipes.employ(new PipeId(1), false);
    assertThat(numbers(set)).containsExactly(0, 2, 3);
    pipes.become(new PipeId(1), true);
    assertThat(numbers(set)).as("up, but not employed").containsExactly(0, 2, 3);
    pipes.employ(new PipeId(1), true);
    assertThat(numbers(set)).containsExactly(0, 1, 2, 3);
  }

  @Test
  void policiesLookAtWhatWasMeasuredLast() {
    PipeSet set = pipes.select(new ByLoss(0.01), NEAR, FAR);
    assertThat(numbers(set)).containsExactly(0, 2, 3);

    pipes.measured(new PipeId(2), pipe(80, 0.3));
    assertThat(numbers(set)).containsExactly(0, 3);
  }

  private static List<Integer> numbers(PipeSet set) {
    return set.usable().stream().map(pipe -> pipe.id().number()).toList();
  }

  private List<Integer> selected(PipeSelection policy) {
    return numbers(pipes.select(policy, NEAR, FAR));
  }

  private static PipeProperties pipe(int roundTripMillis, double loss) {
    return new PipeProperties(roundTripMillis * 1_000_000L, 1_544_000, 75_000, loss);
  }
}
