package io.cascade;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the documents promise is held by tests that exist. */
class PromisesTest {
  private static final Path ROOT = Path.of("..");
  private static final Path PROMISES =
      ROOT.resolve("docs").resolve("reference").resolve("promises.md");
  private static final Pattern NAMED = Pattern.compile("`(\\w+)\\.(\\w+)`");

  /** A test's annotation and the first declaration of a method behind it. */
  private static final Pattern TEST =
      Pattern.compile(
          "(?s)@(?:Test|ParameterizedTest|TestFactory|RepeatedTest|Property)\\b.*?"
              + "\\n +(?:void|Stream<\\w+>) (\\w+)\\(");

  @Test
  void everyTestThatIsNamedExists() throws IOException {
    Map<String, Set<String>> tests = tests();
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
    assertThat(testsOf("@Test\n  void one() {}\n  void two() {}")).containsExactly("one");
    assertThat(testsOf("@ParameterizedTest\n  @ValueSource(ints = {1})\n  void one(int i) {"))
        .containsExactly("one");
  }

  /** The rows of the tables, without their heads. */
  private static List<String> rows() throws IOException {
    return Files.readString(PROMISES)
        .lines()
        .filter(line -> line.startsWith("| ") && !line.equals("| claim | test |"))
        .toList();
  }

  /** The test methods of all modules, by the simple names of their classes. */
  private static Map<String, Set<String>> tests() throws IOException {
    Map<String, Set<String>> tests = new HashMap<>();
    for (Path file : testSources()) {
      String name = file.getFileName().toString().replace(".java", "");
      tests.computeIfAbsent(name, _ -> new HashSet<>()).addAll(testsOf(Files.readString(file)));
    }
    return tests;
  }

  private static List<Path> testSources() throws IOException {
    List<Path> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path tests : modules.map(module -> module.resolve("src/test/java")).toList()) {
        if (Files.isDirectory(tests)) {
          try (Stream<Path> files = Files.walk(tests)) {
            files.filter(file -> file.toString().endsWith("Test.java")).forEach(sources::add);
          }
        }
      }
    }
    return sources;
  }

  private static List<String> testsOf(String source) {
    return TEST.matcher(source).results().map(found -> found.group(1)).toList();
  }
}
