package io.cascade.studies.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.command.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFileTest {
  @TempDir private Path folder;

  static Result result(
      String key, Map<String, String> inputs, double megabits, @Nullable String failure) {
    return new Result(
        key,
        "e",
        "s",
        inputs,
        1,
        7,
        "2026-01-01T00:00:00Z",
        0.064,
        0.1,
        null,
        1000,
        megabits * 1e6,
        megabits * 1e6,
        null,
        List.of(new Result.LinkCount(10, 9, 1, 0, 0)),
        List.of(),
        List.of(),
        failure,
        null);
  }

  @Test
  void whatWasAppendedIsReadAgain() {
    ResultFile file = new ResultFile(folder.resolve("deep/e.jsonl"));
    Result one = result("a #1", Map.of("rtt", "64ms"), 7.5, null);
    Result other = result("b #1", Map.of(), 3, "why");
    file.append(one);
    file.append(other);
    assertThat(file.read()).containsExactly(one, other);
  }

  @Test
  void ofARunThatWasRepeatedTheLastResultCounts() {
    ResultFile file = new ResultFile(folder.resolve("e.jsonl"));
    file.append(result("a #1", Map.of(), 1, "why"));
    file.append(result("a #1", Map.of(), 2, null));
    assertThat(file.read()).extracting(Result::failure).containsExactly((String) null);
  }

  @Test
  void aLineThatWasCutOffIsARunToBeRepeated() throws IOException {
    Path path = folder.resolve("e.jsonl");
    ResultFile file = new ResultFile(path);
    Result one = result("a #1", Map.of(), 1, null);
    file.append(one);
    Files.writeString(path, "{\"key\":\"b #", StandardOpenOption.APPEND);
    assertThat(file.read()).containsExactly(one);
  }

  @Test
  void aResultTakesThePlaceOfALineThatWasCutOff() throws IOException {
    Path path = folder.resolve("e.jsonl");
    ResultFile file = new ResultFile(path);
    Result one = result("a #1", Map.of(), 1, null);
    file.append(one);
    Files.writeString(path, "{\"key\":\"b #", StandardOpenOption.APPEND);
    Result other = result("b #1", Map.of(), 2, null);
    file.append(other);
    assertThat(file.read()).containsExactly(one, other);
  }

  @Test
  void aLineThatIsNoResultIsNamed() throws IOException {
    Path path = folder.resolve("e.jsonl");
    Files.writeString(path, "hello\n{}\n");
    assertThatThrownBy(new ResultFile(path)::read)
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("e.jsonl:1");
  }

  @Test
  void theTableHasAColumnForEveryInputOfAnyRun() {
    assertThat(
            ResultFile.csv(
                    List.of(
                        result("a", Map.of("rtt", "64ms"), 7.5, null),
                        result("b", Map.of("at", "1%,2"), 1, null)))
                .lines())
        .satisfiesExactly(
            header -> assertThat(header).startsWith("experiment,sweep,rtt,at,repetition,"),
            row -> assertThat(row).startsWith("e,s,64ms,,1,7,").contains(",7500000,"),
            row -> assertThat(row).startsWith("e,s,,\"1%,2\",1,"));
  }
}
