package io.cascade.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Topologies that come with Cascade. */
public final class ShippedTopologies {
  /** Names of all of them. */
  static final List<String> NAMES = List.of("wan", "satellite", "two-paths");

  private ShippedTopologies() {}

  /** A long path from client to server with relays at two sites on it, den and sea. */
  public static Topology wan() {
    return named("wan").orElseThrow();
  }

  /** The topology of that name; empty where none is shipped. */
  static Optional<Topology> named(String name) {
    if (!NAMES.contains(name)) {
      return Optional.empty();
    }
    String file = name + ".yaml";
    try (InputStream text = ShippedTopologies.class.getResourceAsStream(file)) {
      if (text == null) {
        throw new IllegalStateException("not in the jar: " + file);
      }
      return Optional.of(
          TopologyFile.parse(file, new String(text.readAllBytes(), StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
