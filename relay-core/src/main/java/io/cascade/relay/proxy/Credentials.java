package io.cascade.relay.proxy;

import io.cascade.api.BoundedMap;
import io.cascade.coding.crypto.Hkdf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.codec.digest.Sha2Crypt;

/**
 * Users of a proxy: lines {@code USER:HASH} with hashes as made by {@code openssl passwd -6} and
 * {@code -5} (crypt(3) with SHA-512 and SHA-256).
 *
 * <p>A hash takes milliseconds on purpose, so it is not computed on event loops. A verified pair is
 * remembered under a key of this process, so that a client that connects often costs one hash only.
 */
final class Credentials {
  private static final long MOST_FILE_BYTES = 1 << 20;
  private static final int MOST_REMEMBERED = 1_024;

  /**
   * The time of a hash grows with the length of the password: at 5,900 bytes it is tens of times as
   * long.
   */
  static final int MOST_PASSWORD_BYTES = 128;

  private static final String FORM = "\\$[56]\\$.{1,40}\\$[./0-9A-Za-z]{43,86}";

  private final Map<String, String> hashes;
  private final String nobody;
  private final byte[] memoryKey = new byte[32];
  private final Map<String, byte[]> remembered = BoundedMap.ofLatest(MOST_REMEMBERED);

  private Credentials(Map<String, String> hashes) {
    this.hashes = hashes;
    this.nobody = hashes.values().iterator().next();
    new SecureRandom().nextBytes(memoryKey);
  }

  /**
   * @throws IllegalArgumentException if the file cannot be read, or a line is invalid
   */
  static Credentials read(Path file) {
    List<String> lines;
    try {
      if (Files.size(file) > MOST_FILE_BYTES) {
        throw new IllegalArgumentException(
            "credentials: " + file + " is too large (expected: at most 1 MiB)");
      }
      lines = Files.readAllLines(file);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "credentials: " + file + " cannot be read (expected: a file of lines USER:HASH)", e);
    }
    Map<String, String> hashes = new LinkedHashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      int colon = line.indexOf(':');
      String hash = line.substring(colon + 1);
      if (colon < 1 || colon > 255 || !hash.matches(FORM)) {
        throw new IllegalArgumentException(
            "credentials: "
                + file
                + " line "
                + (i + 1)
                + " (expected: USER:HASH with a hash by openssl passwd -6)");
      }
      hashes.put(line.substring(0, colon), hash);
    }
    if (hashes.isEmpty()) {
      throw new IllegalArgumentException(
          "credentials: " + file + " has no line (expected: lines USER:HASH)");
    }
    return new Credentials(hashes);
  }

  /** Whether the pair was verified before; computes no hash. */
  boolean knows(String user, String password) {
    byte[] digest = digest(user, password);
    byte[] right;
    synchronized (remembered) {
      right = remembered.get(user);
    }
    return right != null && MessageDigest.isEqual(right, digest);
  }

  /** Whether a password is longer than {@value #MOST_PASSWORD_BYTES} bytes, and so never valid. */
  static boolean isTooLong(String password) {
    return password.length() > MOST_PASSWORD_BYTES
        || password.getBytes(StandardCharsets.UTF_8).length > MOST_PASSWORD_BYTES;
  }

  /** Whether the pair is valid; takes the same time for existing and unknown users. */
  boolean verify(String user, String password) {
    if (isTooLong(password)) {
      return false;
    }
    if (knows(user, password)) {
      return true; // another connection has verified it meanwhile
    }
    String hash = hashes.get(user);
    String against = hash == null ? nobody : hash;
    byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
    String made =
        against.startsWith("$6$")
            ? Sha2Crypt.sha512Crypt(bytes, against)
            : Sha2Crypt.sha256Crypt(bytes, against);
    boolean equal =
        MessageDigest.isEqual(
            made.getBytes(StandardCharsets.UTF_8), against.getBytes(StandardCharsets.UTF_8));
    if (!equal || hash == null) {
      return false;
    }
    synchronized (remembered) {
      remembered.put(user, digest(user, password));
    }
    return true;
  }

  private byte[] digest(String user, String password) {
    return Hkdf.mac(
        memoryKey,
        user.getBytes(StandardCharsets.UTF_8),
        new byte[1],
        password.getBytes(StandardCharsets.UTF_8));
  }

  /** Lists the users without their hashes. */
  @Override
  public String toString() {
    return "credentials of " + Arrays.toString(hashes.keySet().toArray());
  }
}
