package io.cascade.api.identity;

import io.cascade.command.Digests;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Keys that a server may show: the one that it has, and those that come next. Each is known by the
 * SHA-256 of its SubjectPublicKeyInfo, as in RFC 7469, so that a new certificate of the same key
 * changes nothing.
 *
 * @param sha256 of each key, in Base64 for URLs without padding: 1 to 4 different ones
 */
public record KeyPins(List<String> sha256) {
  /** Header by which a server tells those who pinned its key of the keys that come next. */
  public static final String HEADER = "Cascade-Pins";

  /**
   * Header by which the orchestrator that leads tells of the keys of all that share its database,
   * itself included: their pins, with spaces between.
   */
  public static final String CLUSTER_HEADER = "Cascade-Cluster-Pins";

  /** Orchestrators whose keys are told of. */
  public static final int MOST_SERVERS = 8;

  public static final int MOST = 4;

  private static final String PREFIX = "sha256-";
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{43}");

  public KeyPins {
    if (sha256.isEmpty()
        || sha256.size() > MOST
        || sha256.stream().distinct().count() < sha256.size()
        || !sha256.stream().allMatch(pin -> FORM.matcher(pin).matches())) {
      throw new IllegalArgumentException(
          "pins: expected 1 to "
              + MOST
              + " of the form "
              + PREFIX
              + "..., with 43 characters each");
    }
    sha256 = List.copyOf(sha256);
  }

  /** Pins of these keys. */
  public static KeyPins of(PublicKey... keys) {
    return new KeyPins(Arrays.stream(keys).map(KeyPins::digest).distinct().toList());
  }

  /**
   * Reads what {@link #toString} wrote.
   *
   * @throws IllegalArgumentException when that is something else
   */
  public static KeyPins parse(String text) {
    return new KeyPins(
        Arrays.stream(text.split(",", MOST + 1))
            .map(String::strip)
            .map(pin -> pin.startsWith(PREFIX) ? pin.substring(PREFIX.length()) : "")
            .toList());
  }

  /** Whether a server may show this key. */
  public boolean accept(PublicKey key) {
    return sha256.contains(digest(key));
  }

  private static String digest(PublicKey key) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(Digests.sha256().digest(key.getEncoded()));
  }

  /** Such as {@code sha256-Y2Fz...,sha256-YWRl...}, as it stands behind the {@code #} of a URL. */
  @Override
  public String toString() {
    return sha256.stream().map(pin -> PREFIX + pin).collect(Collectors.joining(","));
  }
}
