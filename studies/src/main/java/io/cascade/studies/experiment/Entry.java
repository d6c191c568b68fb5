package io.cascade.studies.experiment;

import io.cascade.command.CommandException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/**
 * A value in a YAML file with its place, so that errors can name it, as in {@code FILE:
 * sweeps[1].rtt: '64' (expected: …)}.
 */
final class Entry {
  private final String file;
  private final String place;
  private final JsonNode node;

  private Entry(String file, String place, JsonNode node) {
    this.file = file;
    this.place = place;
    this.node = node;
  }

  static Entry root(String file, JsonNode node) {
    return new Entry(file, "", node);
  }

  /** Refuses unknown properties, most of which are misspelt. */
  Entry only(String... names) {
    if (!node.isObject()) {
      throw wrong("expected: " + String.join(", ", names));
    }
    Set<String> known = Set.of(names);
    for (String name : node.propertyNames()) {
      if (!known.contains(name)) {
        throw new CommandException(
            file
                + ": "
                + (place.isEmpty() ? name : place + "." + name)
                + ": unknown (expected: one of "
                + String.join(", ", names)
                + ")");
      }
    }
    return this;
  }

  Optional<Entry> at(String name) {
    JsonNode value = node.get(name);
    return value == null || value.isNull()
        ? Optional.empty()
        : Optional.of(new Entry(file, place.isEmpty() ? name : place + "." + name, value));
  }

  Entry require(String name) {
    return at(name)
        .orElseThrow(() ->
            new CommandException(
                file + ": " + (place.isEmpty() ? "" : place + ".") + name + ": missing"));
  }

  /** The elements of a list; a single value is a list of one. */
  List<Entry> list() {
    if (!node.isArray()) {
      return List.of(this);
    }
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < node.size(); i++) {
      entries.add(new Entry(file, place + "[" + i + "]", node.get(i)));
    }
    if (entries.isEmpty()) {
      throw wrong("expected: at least one value");
    }
    return entries;
  }

  Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    for (String name : node.propertyNames()) {
      texts.put(name, require(name).text());
    }
    return texts;
  }

  String text() {
    if (node.isContainer()) {
      throw wrong("expected: a single value");
    }
    return node.asString();
  }

  /** Converts the value's text; an error of {@code reading} is reported with the place. */
  <T> T as(Function<String, T> reading) {
    try {
      return reading.apply(text());
    } catch (IllegalArgumentException e) {
      throw new CommandException(file + ": " + place + ": " + e.getMessage());
    }
  }

  int wholeNumber(int least) {
    return as(text -> {
      if (text.matches("[0-9]{1,9}") && Integer.parseInt(text) >= least) {
        return Integer.parseInt(text);
      }
      throw new IllegalArgumentException(
          "'" + text + "' (expected: a whole number, at least " + least + ")");
    });
  }

  double number() {
    return as(text -> {
      try {
        return Double.parseDouble(text);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("'" + text + "' (expected: a number)");
      }
    });
  }

  boolean yes() {
    if (!node.isBoolean()) {
      throw wrong("'" + node.asString() + "' (expected: true or false)");
    }
    return node.asBoolean();
  }

  CommandException wrong(String why) {
    return new CommandException(file + ": " + (place.isEmpty() ? "" : place + ": ") + why);
  }
}
