package io.cascade;

import io.cascade.command.OptionList;
import io.cascade.command.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Writes manual pages (man(7)) of the root command and of every installed verb, from their help:
 * {@code cascade.1}, {@code cascade-send.1}, {@code cascade-gateway-up.1} and so on.
 */
final class ManPages {
  private static final String EXTENSION = ".1";

  private ManPages() {}

  /**
   * @param arguments the folder to write to
   */
  public static void main(String[] arguments) throws IOException {
    write(Cascade.commandLine(Map.of()), Path.of(arguments[0]));
  }

  /** Writes the pages of a command and of all its subcommands. */
  static void write(CommandLine line, Path folder) throws IOException {
    Files.writeString(folder.resolve(name(line.getCommandSpec()) + EXTENSION), page(line));
    for (CommandLine below : line.getSubcommands().values()) {
      write(below, folder);
    }
  }

  private static String name(CommandSpec spec) {
    return spec.qualifiedName("-");
  }

  private static String page(CommandLine line) {
    CommandSpec spec = line.getCommandSpec();
    Help help = new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF));
    String[] description = spec.usageMessage().description();
    StringBuilder page = new StringBuilder();
    page.append(
        ".TH \"%s\" 1 \"\" \"Cascade %s\" \"Cascade\"%n"
            .formatted(name(spec).toUpperCase(Locale.ROOT), Version.text()));
    page.append(".nh\n.ad l\n.SH NAME\n")
        .append(text(name(spec)))
        .append(" \\- ")
        .append(text(summary(description)))
        .append('\n');
    page.append(".SH SYNOPSIS\n").append(text(help.synopsis(0).strip())).append('\n');
    page.append(".SH DESCRIPTION\n");
    paragraphs(description, page);
    commands(line, page);
    List<PositionalParamSpec> parameters =
        spec.positionalParameters().stream().filter(one -> !one.hidden()).toList();
    if (!parameters.isEmpty()) {
      page.append(".SH ARGUMENTS\n");
      parameters.forEach(one -> item(one.paramLabel(), one, page));
    }
    OptionList.sections(spec).forEach((heading, options) -> options(heading, options, help, page));
    if (spec.usageMessage().footer().length > 0) {
      page.append(".SH NOTES\n");
      paragraphs(spec.usageMessage().footer(), page);
    }
    CommandLine above = line.getParent();
    if (above != null) {
      page.append(".SH SEE ALSO\n.BR ").append(text(name(above.getCommandSpec()))).append(" (1)\n");
    }
    return page.toString();
  }

  /** The first sentence, without its end, as apropos(1) lists it. */
  private static String summary(String... description) {
    if (description.length == 0) {
      return "moves data";
    }
    String first = formatted(description[0]).lines().findFirst().orElse("");
    int end = first.indexOf(". ");
    return (end < 0 ? first : first.substring(0, end)).replaceAll("[.:]$", "");
  }

  private static void commands(CommandLine line, StringBuilder page) {
    if (line.getSubcommands().isEmpty()) {
      return;
    }
    page.append(".SH COMMANDS\n");
    line.getSubcommands()
        .forEach((title, below) ->
            page.append(".TP\n.BR ")
                .append(text(name(below.getCommandSpec())))
                .append(" (1)\n")
                .append(text(summary(below.getCommandSpec().usageMessage().description())))
                .append('\n'));
  }

  private static void options(
      String heading, List<OptionSpec> options, Help help, StringBuilder page) {
    if (options.isEmpty()) {
      return;
    }
    page.append(".SH ").append(text(heading.toUpperCase(Locale.ROOT))).append('\n');
    for (OptionSpec option : options) {
      String label =
          help.parameterLabelRenderer()
              .renderParameterLabel(option, Help.Ansi.OFF, List.of())
              .toString();
      item(String.join(", ", option.names()) + label, option, page);
    }
  }

  private static void item(String tag, ArgSpec argument, StringBuilder page) {
    page.append(".TP\n.B ").append(text(tag)).append('\n');
    for (String line : argument.description()) {
      formatted(line).lines().forEach(one -> page.append(text(one)).append('\n'));
    }
  }

  /** Formats paragraphs; indented lines, such as those of examples, stay as they are. */
  private static void paragraphs(String[] lines, StringBuilder page) {
    for (String line : lines) {
      for (String one : formatted(line).lines().toList()) {
        if (one.startsWith(" ")) {
          page.append(".nf\n").append(text(one)).append("\n.fi\n");
        } else if (!one.isBlank()) {
          page.append(".PP\n").append(text(one)).append('\n');
        }
      }
    }
  }

  /** Formats text as picocli does. */
  private static String formatted(String text) {
    return Objects.requireNonNull(text).replace("%n", "\n").replace("%%", "%");
  }

  /** Escapes text so that it contains no request or escape of the formatter. */
  private static String text(String plain) {
    String escaped = plain.replace("\\", "\\e").replace("-", "\\-").replace("\n", "\n\\&");
    return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
  }
}
