package io.cascade;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The tests that there are, for documents that name some. */
final class NamedTests {
  private static final Path ROOT = Path.of("..");

  /** A test's annotation and the first declaration of a method behind it. */
  private static final Pattern TEST =
      Pattern.compile(
          "(?s)@(?:Test|ParameterizedTest|TestFactory|RepeatedTest|Property)\\b.*?"
              + "\\n +(?:void|Stream<\\w+>) (\\w+)\\(");

  private NamedTests() {}

  /** The test methods of all modules, by the simple names of their classes. */
  static Map<String, Set<String>> ofAllModules() throws IOException {
    Map<String, Set<String>> tests = new HashMap<>();
    for (Path file : testSources()) {
      String name = file.getFileName().toString().replace(".java", "");
      tests.computeIfAbsent(name, _ -> new HashSet<>()).addAll(of(Files.readString(file)));
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

  /** The test methods of a source. */
  static List<String> of(String source) {
    return TEST.matcher(source).results().map(found -> found.group(1)).toList();
  }
}
