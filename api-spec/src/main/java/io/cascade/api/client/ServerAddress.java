package io.cascade.api.client;

import io.cascade.api.identity.KeyPins;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Address of a server, and how the server is verified: by the keys in the fragment of its URL, such
 * as {@code https://control.example.net:7400#sha256-...,sha256-...}, which are never sent; without
 * a fragment by its name and the authorities that the machine trusts.
 *
 * @param base without a slash at the end
 * @param pins null if the machine's authorities verify the server
 */
public record ServerAddress(URI base, @Nullable KeyPins pins) {
  /**
   * Separates several URLs, as a regular expression: a comma before a scheme, since pins contain
   * commas.
   */
  public static final String SEPARATOR = "\\s*,\\s*(?=(?i:https?)://)";

  public ServerAddress {
    if (pins != null && !"https".equalsIgnoreCase(base.getScheme())) {
      throw new IllegalArgumentException(
          base + ": a key is pinned, but only https:// presents one; fix: use https://");
    }
  }

  /**
   * Reads one address. The scheme is converted to lower case.
   *
   * @throws IllegalArgumentException if it is not an HTTP URL, the fragment has no valid pins, or
   *     keys are pinned for a server without TLS
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
   * Reads several addresses, separated by commas.
   *
   * @throws IllegalArgumentException if one of them is not a URL
   */
  public static List<URI> several(String text) {
    return Arrays.stream(text.strip().split(SEPARATOR, -1)).map(URI::create).toList();
  }

  /** Writes the form that {@link #several} reads. */
  public static String joined(List<URI> servers) {
    return servers.stream().map(URI::toString).collect(Collectors.joining(","));
  }

  /** An address without pins, which is validated only when it is called. */
  static ServerAddress unpinned(URI base) {
    return new ServerAddress(withoutSlash(base.toString()), null);
  }

  private static URI withoutSlash(String base) {
    return URI.create(base.endsWith("/") ? base.substring(0, base.length() - 1) : base);
  }

  /** Host and port, the key under which learned pins are kept. */
  String authority() {
    return base.getRawAuthority();
  }

  /** The address with its pins, in the form that options accept. */
  @Override
  public String toString() {
    return pins == null ? base.toString() : base + "#" + pins;
  }
}
