package io.cascade.command;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Lists a verb's options: its {@link FirstOptions} alone, or all of them in sections, its own
 * first, then those of each {@link OptionSection}, with {@link OptionSection#TO_COMPARE} last.
 */
public final class OptionList implements IHelpSectionRenderer {
  private final IHelpSectionRenderer plain;
  private final boolean all;

  /**
   * @param plain renders the options of verbs without sections
   * @param all whether all options are shown of verbs that have first ones
   */
  OptionList(IHelpSectionRenderer plain, boolean all) {
    this.plain = plain;
    this.all = all;
  }

  @Override
  public String render(Help help) {
    FirstOptions first =
        help.commandSpec().userObject().getClass().getAnnotation(FirstOptions.class);
    return first == null || all ? everything(help) : firstOnes(help, List.of(first.value()));
  }

  /** Returns a list that shows all options, or the first ones. */
  OptionList showing(boolean everything) {
    return new OptionList(plain, everything);
  }

  private static String firstOnes(Help help, List<String> names) {
    CommandSpec spec = help.commandSpec();
    List<OptionSpec> shown =
        Stream.concat(names.stream(), Stream.of("--help"))
            .map(name -> Objects.requireNonNull(spec.findOption(name), name))
            .toList();
    long others = spec.options().stream().filter(one -> !one.hidden()).count() - shown.size();
    return "%nMost used options (%s --help-all shows %d more):%n"
            .formatted(spec.qualifiedName(), others)
        + list(help, shown);
  }

  /**
   * Returns all options that are not hidden by the heading of their section: a verb's own first,
   * those for comparison last.
   */
  public static Map<String, List<OptionSpec>> sections(CommandSpec spec) {
    Map<String, List<OptionSpec>> sections = new LinkedHashMap<>();
    sections.put("Options", new ArrayList<>());
    for (OptionSpec option : spec.options()) {
      if (!option.hidden()) {
        sections.computeIfAbsent(section(option), _ -> new ArrayList<>()).add(option);
      }
    }
    List<OptionSpec> toCompare = sections.remove(OptionSection.TO_COMPARE);
    if (toCompare != null) {
      sections.put(OptionSection.TO_COMPARE, toCompare);
    }
    return sections;
  }

  private String everything(Help help) {
    Map<String, List<OptionSpec>> sections = sections(help.commandSpec());
    if (sections.size() == 1) {
      return plain.render(help);
    }
    return sections.entrySet().stream()
        .filter(section -> !section.getValue().isEmpty())
        .map(section -> "%n%s:%n".formatted(section.getKey()) + list(help, section.getValue()))
        .collect(Collectors.joining());
  }

  private static String list(Help help, List<OptionSpec> options) {
    Help.Layout layout = help.createDefaultLayout();
    layout.addOptions(options, help.parameterLabelRenderer());
    return layout.toString();
  }

  /** Nested groups of options belong to the section of the class around them. */
  private static String section(OptionSpec option) {
    OptionSection section =
        option.userObject() instanceof AnnotatedElement own
            ? own.getAnnotation(OptionSection.class)
            : null;
    if (section == null && option.userObject() instanceof Member member) {
      for (Class<?> at = member.getDeclaringClass();
          at != null && section == null;
          at = at.getDeclaringClass()) {
        section = at.getAnnotation(OptionSection.class);
      }
    }
    return section == null ? "Options" : section.value();
  }
}
