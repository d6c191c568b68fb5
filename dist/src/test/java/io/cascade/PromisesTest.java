package io.cascade;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the documents promise is held by tests that exist. */
class PromisesTest {
  private static final Path ROOT = Path.of("..");
  private static final Path PROMISES =
      ROOT.resolve("docs").resolve("reference").resolve("promises.md");
  private static final Pattern NAMED = Pattern.compile("`(\\w+)\\.(\\w+)`");

  @Test
  void everyTestThatIsNamedExists() throws IOException {
    Map<String, Set<String>> tests = NamedTests.ofAllModules();
    List<String> rows = rows();
    assertThat(rows).isNotEmpty();
    for (String row : rows) {
      Matcher named = NAMED.matcher(row);
      assertThat(named.find()).as("a test of: " + row).isTrue();
      do {
        assertThat(tests).as(row).containsKey(named.group(1));
        assertThat(tests.get(named.group(1))).as(row).contains(named.group(2));
      } while (named.find());
    }
  }

  @Test
  void everyPromiseHasATable() throws IOException {
    String text = Files.readString(PROMISES);
    List<String> promises =
        Pattern.compile("(?m)^- \\*\\*(.+?)\\.\\*\\*")
            .matcher(text)
            .results()
            .map(found -> found.group(1))
            .toList();
    assertThat(promises).isNotEmpty();
    for (String promise : promises) {
      assertThat(text).contains("## " + promise + "\n\n| claim | test |\n");
    }
  }

  @Test
  void aTestThatIsMissingIsFound() {
    assertThat(NamedTests.of("@Test\n  void one() {}\n  void two() {}")).containsExactly("one");
    assertThat(NamedTests.of("@ParameterizedTest\n  @ValueSource(ints = {1})\n  void one(int i) {"))
        .containsExactly("one");
  }

  /** The rows of the tables, without their heads. */
  private static List<String> rows() throws IOException {
    return Files.readString(PROMISES)
        .lines()
        .filter(line -> line.startsWith("| ") && !line.equals("| claim | test |"))
        .toList();
  }
}
