package io.cascade.client.terminal;

import java.util.ArrayList;
import java.util.List;

/** Text wrapped to a width. */
final class Lines {
  private Lines() {}

  /**
   * Wraps text at its spaces. A word that is longer than a line stays whole.
   *
   * @return one line or more
   */
  static List<String> wrapped(String text, int width) {
    List<String> lines = new ArrayList<>();
    String rest = text;
    while (rest.length() > width) {
      int space = rest.lastIndexOf(' ', width);
      if (space <= 0) {
        space = rest.indexOf(' ');
      }
      if (space < 0) {
        break;
      }
      lines.add(rest.substring(0, space).stripTrailing());
      rest = rest.substring(space + 1);
    }
    lines.add(rest);
    return lines;
  }
}
