package io.cascade.command;

import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.OptionSpec;

/** Lists a verb's options in sections: its own first, then those of each {@link OptionSection}. */
final class OptionList implements IHelpSectionRenderer {
  private final IHelpSectionRenderer plain;

  /**
   * @param plain renders the options of verbs without sections
   */
  OptionList(IHelpSectionRenderer plain) {
    this.plain = plain;
  }

  @Override
  public String render(Help help) {
    Map<String, List<OptionSpec>> sections = new LinkedHashMap<>();
    sections.put("Options", new ArrayList<>());
    for (OptionSpec option : help.commandSpec().options()) {
      if (!option.hidden()) {
        sections.computeIfAbsent(section(option), _ -> new ArrayList<>()).add(option);
      }
    }
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
    if (option.userObject() instanceof Member member) {
      for (Class<?> at = member.getDeclaringClass(); at != null; at = at.getDeclaringClass()) {
        OptionSection section = at.getAnnotation(OptionSection.class);
        if (section != null) {
          return section.value();
        }
      }
    }
    return "Options";
  }
}
