package io.cascade;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.testing.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Links lead somewhere, first pages are short, and commands are ones that there are. */
class DocumentsTest {
  /** What the launcher does by itself. */
  private static final Set<String> OF_THE_LAUNCHER =
      Set.of("build", "test", "package", "cluster", "caches");

  /** Of the launcher, of experiments, and of other programs that documents name. */
  private static final Set<String> OTHER_OPTIONS =
      Set.of(
          "--fast",
          "--help-all",
          "--no-caches",
          "--repetitions",
          "--out",
          "--sha256",
          "--link",
          "--scale",
          "--partial",
          "--enable-native-access");

  private static final Pattern OPTION = Pattern.compile("`(--[a-z][a-z0-9-]*)[^`\n]*`");
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+)$");

  static Stream<Path> pages() throws IOException {
    return Documents.pages().stream();
  }

  static Stream<Path> followed() throws IOException {
    return Documents.followed().stream();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyLinkLeadsToAFileAndAHeading(Path page) throws IOException {
    List<String> broken = new ArrayList<>();
    Matcher link = LINK.matcher(Documents.prose(Files.readString(page)));
    while (link.find()) {
      String target = link.group(1);
      if (!target.matches("[a-z]+:.*") && !leadsSomewhere(page, target)) {
        broken.add(target);
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void everyDocumentIsTwoClicksAtMostFromTheListOfThem() throws IOException {
    Path docs = Documents.ROOT.resolve("docs");
    Set<Path> reached = new HashSet<>(Set.of(docs.resolve("README.md")));
    for (int clicks = 0; clicks < 2; clicks++) {
      for (Path page : List.copyOf(reached)) {
        reached.addAll(linked(page));
      }
    }
    assertThat(pages().filter(page -> page.startsWith(docs))).isSubsetOf(reached);
  }

  /** The pages that a page leads to. */
  private static List<Path> linked(Path page) throws IOException {
    return LINK.matcher(Documents.prose(Files.readString(page)))
        .results()
        .map(link -> link.group(1).replaceFirst("#.*", ""))
        .filter(target -> target.endsWith(".md") && !target.contains(":"))
        .map(target -> page.resolveSibling(target).normalize())
        .toList();
  }

  @ParameterizedTest
  @CsvSource({"README.md, 6144", "ARCHITECTURE.md, 10240"})
  void theFirstPagesAreShort(String page, long mostBytes) throws IOException {
    assertThat(Files.size(Documents.ROOT.resolve(page))).isLessThanOrEqualTo(mostBytes);
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyCommandIsOneThatTheCommandLineTakes(Path page) throws IOException {
    assertThat(Documents.calls(Files.readString(page))).allSatisfy(DocumentsTest::isTaken);
  }

  /** Experiments, whose options the page of the testbed names, are no part of the product. */
  static Stream<Path> ofTheProduct() throws IOException {
    return pages().filter(page -> !page.endsWith("testbed.md"));
  }

  @ParameterizedTest
  @MethodSource("ofTheProduct")
  void everyOptionIsOneThatAVerbTakes(Path page) throws IOException {
    Set<String> taken = options(Cascade.commandLine(Map.of())).collect(Collectors.toSet());
    taken.addAll(OTHER_OPTIONS);

    assertThat(OPTION.matcher(Documents.prose(Files.readString(page))).results())
        .extracting(found -> found.group(1))
        .isSubsetOf(taken);
  }

  private static Stream<String> options(CommandLine line) {
    return Stream.concat(
        Stream.concat(
            line.getCommandSpec().optionsMap().keySet().stream(),
            line.getCommandSpec().negatedOptionsMap().keySet().stream()),
        line.getSubcommands().values().stream().flatMap(DocumentsTest::options));
  }

  @ParameterizedTest
  @MethodSource("followed")
  void pagesThatAreFollowedHaveCommands(Path page) throws IOException {
    assertThat(Documents.calls(Files.readString(page))).isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource(Verb.class)
  void everyExampleOfTheHelpIsOneThatTheCommandLineTakes(Verb verb) {
    examples(
            Objects.requireNonNull(
                Cascade.commandLine(Map.of()).getSubcommands().get(verb.title())))
        .forEach(example ->
            assertThat(Documents.calls("```sh\n" + example + "\n```\n"))
                .allSatisfy(DocumentsTest::isTaken));
  }

  /**
   * Lines of a verb's help that begin with the program, those that go on in the next one as one.
   */
  private static List<String> examples(CommandLine verb) {
    List<String> examples = new ArrayList<>();
    String footer = String.join("\n", verb.getCommandSpec().usageMessage().footer());
    footer
        .replaceAll("\\\\\n\\s*", "")
        .lines()
        .filter(line -> line.matches("(Example: | {2})cascade .*"))
        .map(line -> line.replaceFirst(".*?cascade ", "./cascade "))
        .forEach(examples::add);
    verb.getSubcommands().values().stream()
        .distinct()
        .forEach(subcommand -> examples.addAll(examples(subcommand)));
    return examples;
  }

  @Test
  void aCommandThatIsNoneIsFound() {
    assertThat(Documents.calls("```sh\n./cascade send 'a b' --to=x:1 # why\n```\n"))
        .containsExactly(List.of("send", "a b", "--to=x:1"));
    assertThat(Documents.calls("```sh\nat=$(./cascade open --to x:1 \\\n    --via a)\n```\n"))
        .containsExactly(List.of("open", "--to", "x:1", "--via", "a"));
  }

  private static void isTaken(List<String> call) {
    if (!OF_THE_LAUNCHER.contains(call.getFirst())) {
      String[] arguments = call.toArray(String[]::new);
      CommandLine line = Cascade.commandLine(Map.of(), arguments);
      assertThat(line.parseArgs(arguments).errors()).isEmpty();
    }
  }

  private static boolean leadsSomewhere(Path page, String target) throws IOException {
    String[] parts = target.split("#", 2);
    Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    if (parts.length == 1 || !Files.isRegularFile(file)) {
      return Files.exists(file) && parts.length == 1;
    }
    return anchors(Files.readString(file)).contains(parts[1]);
  }

  /** Anchors of headings, as GitHub makes them. */
  private static Set<String> anchors(String page) {
    return HEADING
        .matcher(Documents.prose(page))
        .results()
        .map(found -> found.group(1).toLowerCase(Locale.ROOT))
        .map(title -> title.replaceAll("[^\\p{L}\\p{N}\\-_ ]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }
}
