package io.cascade;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;

/** The root's list of verbs, grouped by what they are for. */
final class VerbsByUse implements IHelpSectionRenderer {
  private static final int INDENT = 16;

  @Override
  public String render(Help help) {
    return Arrays.stream(Verb.Use.values())
        .map(
            use ->
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
    String first = description.length == 0 ? "" : description[0];
    return ("  %-" + (INDENT - 2) + "s%s%n").formatted(verb.title(), first);
  }
}
