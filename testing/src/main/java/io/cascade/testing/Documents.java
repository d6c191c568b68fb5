package io.cascade.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The documents of the checkout, and the commands in them. */
public final class Documents {
  /** The root of the checkout, for tests of its modules. */
  public static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final String LAUNCHER = "./cascade ";
  private static final Pattern FENCED = Pattern.compile("(?ms)^```(\\w*)\n(.*?)^```$");
  private static final Pattern PIECE =
      Pattern.compile("'([^']*)'|\"([^\"]*)\"|([^\\s'\"]+)|(?<gap>\\s+)");

  private Documents() {}

  /** All pages of documentation: those of the root and of the folder {@code docs}. */
  public static List<Path> pages() throws IOException {
    try (Stream<Path> root = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(root, docs)
          .filter(page -> page.toString().endsWith(".md"))
          .sorted()
          .toList();
    }
  }

  /** Pages whose commands a reader types in order: README, start and tasks. */
  public static List<Path> followed() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    for (String kind : List.of("start", "tasks")) {
      try (Stream<Path> files = Files.list(ROOT.resolve("docs").resolve(kind))) {
        files.sorted().forEach(pages::add);
      }
    }
    return pages;
  }

  /** A page without its code blocks. */
  public static String prose(String page) {
    return FENCED.matcher(page).replaceAll("");
  }

  /** The lines of a page's shell blocks in order, without comments; continued lines are joined. */
  public static List<String> shellLines(String page) {
    List<String> lines = new ArrayList<>();
    Matcher block = FENCED.matcher(page);
    while (block.find()) {
      if (Objects.equals(block.group(1), "sh")) {
        block
            .group(2)
            .replace("\\\n", " ")
            .lines()
            .map(line -> line.replaceFirst("(^|\\s+)#.*", "").strip())
            .filter(line -> !line.isEmpty())
            .forEach(lines::add);
      }
    }
    return lines;
  }

  /** The calls of the launcher in a page's shell blocks: the arguments of each, in order. */
  public static List<List<String>> calls(String page) {
    return shellLines(page).stream()
        .filter(line -> line.contains(LAUNCHER))
        .map(line -> line.substring(line.indexOf(LAUNCHER) + LAUNCHER.length()))
        .map(call -> words(call.replaceFirst("\\)$", "")))
        .toList();
  }

  /** The words of a line, divided as by a shell, without expansions. */
  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    Matcher piece = PIECE.matcher(line.strip() + " ");
    while (piece.find()) {
      if (piece.group("gap") != null) {
        words.add(word.toString());
        word.setLength(0);
      } else {
        Stream.of(1, 2, 3).map(piece::group).filter(Objects::nonNull).forEach(word::append);
      }
    }
    return words;
  }
}
