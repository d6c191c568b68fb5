package io.cascade.studies.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.command.CommandException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RunnerTest {
  private static final List<Repetition<String>> TASKS =
      Repetition.interleaved(List.of("a", "b", "c"), 2);

  @TempDir private Path folder;

  private final StringWriter said = new StringWriter();
  private final List<String> closed = new ArrayList<>();

  @SuppressWarnings("NullAway.Init")
  private JsonLines<Sum> results;

  /** A result: what a task came to. */
  record Sum(String key, int value, @Nullable String failure) {}

  @BeforeEach
  void results() {
    results = new JsonLines<>(folder.resolve("sums.jsonl"), Sum.class, Sum::key);
  }

  @Test
  void theSecondRunOfAnyCellComesAfterTheFirstOfAll() {
    assertThat(TASKS)
        .extracting(task -> task.cell() + task.number())
        .containsExactly("a1", "b1", "c1", "a2", "b2", "c2");
  }

  @Test
  void whatIsThereIsNotRepeated() throws Exception {
    results.append(new Sum("a1", 7, null));

    assertThat(run(task -> sum(task, 1))).isTrue();

    assertThat(results.read()).hasSize(6).first().isEqualTo(new Sum("a1", 7, null));
    assertThat(said.toString()).startsWith("5 of 6 runs to measure, 1 at a time").contains("5/5, ");
    assertThat(closed).containsExactly("bench 0");
    assertThat(run(task -> sum(task, 2))).isTrue();
    assertThat(results.byKey().get("c2")).isEqualTo(new Sum("c2", 1, null));
  }

  @Test
  void whatFailsIsAResultThatIsMeasuredAgainAndTheOthersGoOn() throws Exception {
    boolean complete =
        run(task -> {
          if (task.cell().equals("b")) {
            throw new IllegalStateException("no such network");
          }
          return sum(task, 1);
        });

    assertThat(complete).isFalse();
    assertThat(results.read()).hasSize(6);
    assertThat(said.toString()).contains("b1: no such network");
    assertThat(run(task -> sum(task, 2))).isTrue();
    assertThat(results.read()).allMatch(result -> result.failure() == null);
    assertThat(results.byKey().get("a1")).isEqualTo(new Sum("a1", 1, null));
  }

  @Test
  void whatTurnsOutNotToBeWantedLeavesNothing() throws Exception {
    assertThat(run(task -> task.number() == 2 ? null : sum(task, 1))).isTrue();
    assertThat(results.read()).extracting(Sum::key).containsExactly("a1", "b1", "c1");
  }

  @Test
  void aBenchThatDoesNotComeUpEndsEverything() {
    assertThatThrownBy(() -> run(null))
        .isInstanceOf(CommandException.class)
        .hasMessage("no room for a network");
    assertThat(results.read()).isEmpty();
  }

  private static Sum sum(Repetition<String> task, int value) {
    return new Sum(task.cell() + task.number(), value, null);
  }

  private boolean run(Measurement.@Nullable Bench<Repetition<String>, Sum> bench)
      throws InterruptedException {
    return new Runner<>(new Sums(bench), results, new PrintWriter(said)).run(TASKS, 1);
  }

  private final class Sums implements Measurement<Repetition<String>, Sum> {
    private final @Nullable Bench<Repetition<String>, Sum> bench;

    Sums(@Nullable Bench<Repetition<String>, Sum> bench) {
      this.bench = bench;
    }

    @Override
    public String key(Repetition<String> task) {
      return task.cell() + task.number();
    }

    @Override
    public boolean isAnswered(Repetition<String> task, Sum result) {
      return result.failure() == null;
    }

    @Override
    public Bench<Repetition<String>, Sum> open(int number) throws Exception {
      if (bench == null) {
        throw new IllegalStateException("no room for a network");
      }
      return Measurement.on(() -> closed.add("bench " + number), bench);
    }

    @Override
    public Sum failed(Repetition<String> task, Exception failure) {
      return new Sum(key(task), 0, Measurement.why(failure));
    }

    @Override
    public String words(Sum result) {
      return result.failure() == null ? "" + result.value() : result.failure();
    }
  }
}
