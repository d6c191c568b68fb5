package io.cascade;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;

/** The root's list of verbs, grouped by purpose. */
final class VerbsByUse implements IHelpSectionRenderer {
  private static final int INDENT = 16;
  private static final int WIDTH = 80;
  private static final Pattern SPACE = Pattern.compile(" ");

  @Override
  public String render(Help help) {
    return Arrays.stream(Verb.Use.values())
        .map(use ->
            "%n%s:%n%s"
                .formatted(
                    use.heading(),
                    Arrays.stream(Verb.values())
                        .filter(verb -> verb.use() == use)
                        .map(verb -> line(verb, help.subcommands().get(verb.title())))
                        .collect(Collectors.joining())))
        .collect(Collectors.joining());
  }

  private static String line(Verb verb, @Nullable Help help) {
    if (help == null) {
      return "";
    }
    String[] description = help.commandSpec().usageMessage().description();
    List<String> words =
        SPACE.splitAsStream(description.length == 0 ? "" : description[0]).toList();
    StringBuilder lines = new StringBuilder("  %-13s".formatted(verb.title()));
    int column = INDENT - 1;
    for (String word : words) {
      if (column + 1 + word.length() > WIDTH) {
        lines.append("%n%s".formatted(" ".repeat(INDENT - 1)));
        column = INDENT - 1;
      }
      lines.append(' ').append(word);
      column += 1 + word.length();
    }
    return lines + "%n".formatted();
  }
}
