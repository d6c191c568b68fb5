package io.cascade.api.identity;

import io.cascade.command.Digests;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Keys that a server may have: the present one, and the next ones. Each is identified by the
 * SHA-256 of its SubjectPublicKeyInfo, as in RFC 7469, so that a new certificate of the same key
 * changes nothing.
 *
 * @param sha256 of each key, in Base64 for URLs without padding: 1 to 4 different ones
 */
public record KeyPins(List<String> sha256) {
  /** Header in which a server announces its next keys to clients that pin its key. */
  public static final String HEADER = "Cascade-Pins";

  /**
   * Header in which the leader announces the keys of all orchestrators that share its database,
   * including itself: their pins, separated by spaces.
   */
  public static final String CLUSTER_HEADER = "Cascade-Cluster-Pins";

  /** Most orchestrators whose keys are announced. */
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
   * Reads the form that {@link #toString} writes.
   *
   * @throws IllegalArgumentException when it is something else
   */
  public static KeyPins parse(String text) {
    return new KeyPins(
        Arrays.stream(text.split(",", MOST + 1))
            .map(String::strip)
            .map(pin -> pin.startsWith(PREFIX) ? pin.substring(PREFIX.length()) : "")
            .toList());
  }

  /** Whether a key is one of these. */
  public boolean accept(PublicKey key) {
    return sha256.contains(digest(key));
  }

  private static String digest(PublicKey key) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(Digests.sha256().digest(key.getEncoded()));
  }

  /** Such as {@code sha256-Y2Fz...,sha256-YWRl...}, the form of a URL's fragment. */
  @Override
  public String toString() {
    return sha256.stream().map(pin -> PREFIX + pin).collect(Collectors.joining(","));
  }
}
