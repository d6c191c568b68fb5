package io.cascade.api.client;

import io.cascade.api.identity.KeyPins;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where a server is, and how it is known: by the keys behind the {@code #} of its URL, such as
 * {@code https://control.example.net:7400#sha256-...,sha256-...}, which are never sent, or where
 * none stand there by its name and the authorities that the machine trusts.
 *
 * @param base without a slash at the end
 * @param pins null where the machine's authorities say who it is
 */
public record ServerAddress(URI base, @Nullable KeyPins pins) {
  /**
   * Separates several URLs, as a regular expression: a comma before a scheme, as pins have some.
   */
  public static final String SEPARATOR = "\\s*,\\s*(?=(?i:https?)://)";

  public ServerAddress {
    if (pins != null && !"https".equalsIgnoreCase(base.getScheme())) {
      throw new IllegalArgumentException(
          base + ": a key is pinned, and only https:// shows one; nothing is sent without TLS");
    }
  }

  /**
   * Reads one. Its scheme is written in small letters from then on.
   *
   * @throws IllegalArgumentException where it is no URL of HTTP, what stands behind the {@code #}
   *     are no pins, or keys are pinned for a server without TLS
   */
  public static ServerAddress of(URI given) {
    String scheme = String.valueOf(given.getScheme()).toLowerCase(Locale.ROOT);
    if (given.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
      throw new IllegalArgumentException(
          given + " (expected: https://HOST:PORT or http://HOST:PORT)");
    }
    String pins = given.getRawFragment();
    String text = scheme + given.toString().substring(scheme.length());
    String base = pins == null ? text : text.substring(0, text.indexOf('#'));
    return new ServerAddress(
        withoutSlash(base), pins == null || pins.isEmpty() ? null : KeyPins.parse(pins));
  }

  /**
   * Reads several, with commas between.
   *
   * @throws IllegalArgumentException where one of them is no URL
   */
  public static List<URI> several(String text) {
    return Arrays.stream(text.strip().split(SEPARATOR, -1)).map(URI::create).toList();
  }

  /** Writes what {@link #several} reads. */
  public static String joined(List<URI> servers) {
    return servers.stream().map(URI::toString).collect(Collectors.joining(","));
  }

  /** A server whose calls are checked when they are made. */
  static ServerAddress unpinned(URI base) {
    return new ServerAddress(withoutSlash(base.toString()), null);
  }

  private static URI withoutSlash(String base) {
    return URI.create(base.endsWith("/") ? base.substring(0, base.length() - 1) : base);
  }

  /** Host and port, by which what is remembered of its keys is found. */
  String authority() {
    return base.getRawAuthority();
  }

  /** The address as an option takes it, with its pins. */
  @Override
  public String toString() {
    return pins == null ? base.toString() : base + "#" + pins;
  }
}
