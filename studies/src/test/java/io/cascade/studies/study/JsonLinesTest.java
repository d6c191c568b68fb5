package io.cascade.studies.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.command.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonLinesTest {
  private static final Sum ONE = new Sum("a", 1, null);

  @TempDir private Path folder;

  record Sum(String key, int value, @Nullable String failure) {}

  private JsonLines<Sum> lines(Path file) {
    return new JsonLines<>(file, Sum.class, Sum::key);
  }

  @Test
  void whatWasAppendedIsReadAgain() {
    JsonLines<Sum> file = lines(folder.resolve("deep/e.jsonl"));
    Sum other = new Sum("b", 3, "why");
    file.append(ONE);
    file.append(other);
    assertThat(file.read()).containsExactly(ONE, other);
  }

  @Test
  void ofARunThatWasRepeatedTheLastResultCounts() {
    JsonLines<Sum> file = lines(folder.resolve("e.jsonl"));
    file.append(new Sum("a", 0, "why"));
    file.append(ONE);
    assertThat(file.read()).containsExactly(ONE);
  }

  @Test
  void aLineThatWasCutOffIsARunToBeRepeated() throws IOException {
    Path path = folder.resolve("e.jsonl");
    JsonLines<Sum> file = lines(path);
    file.append(ONE);
    Files.writeString(path, "{\"key\":\"b", StandardOpenOption.APPEND);
    assertThat(file.read()).containsExactly(ONE);
  }

  @Test
  void aResultTakesThePlaceOfALineThatWasCutOff() throws IOException {
    Path path = folder.resolve("e.jsonl");
    JsonLines<Sum> file = lines(path);
    file.append(ONE);
    Files.writeString(path, "{\"key\":\"b", StandardOpenOption.APPEND);
    Sum other = new Sum("b", 2, null);
    file.append(other);
    assertThat(file.read()).containsExactly(ONE, other);
  }

  @Test
  void aLineThatIsNoResultIsNamed() throws IOException {
    Path path = folder.resolve("e.jsonl");
    Files.writeString(path, "hello\n{}\n");
    assertThatThrownBy(lines(path)::read)
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("e.jsonl:1");
  }
}
