package io.cascade.orchestrator.tls;

import io.cascade.api.identity.KeyPins;
import io.cascade.command.CommandException;
import io.cascade.command.OwnerOnlyFile;
import io.cascade.command.certificate.SelfSigned;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.List;

/**
 * The present and the next key of the orchestrator, each with a self-signed certificate, in a file
 * each. Clients know both before the second is used: renaming its file puts it in place of the
 * first, so that there is always a present key.
 */
final class SelfMadeCertificates implements CertificateSource {
  private static final int MOST_BYTES = 16_384;

  private final Path current;
  private final Path next;

  /** The key after the next one; exists only during a rotation. */
  private final Path following;

  private final Collection<String> names;
  private final SecureRandom random = new SecureRandom();

  /**
   * @param folder that only the owner can read
   * @param names for certificates that are created from now on
   */
  SelfMadeCertificates(Path folder, Collection<String> names) {
    this.current = folder.resolve("current.pem");
    this.next = folder.resolve("next.pem");
    this.following = folder.resolve("following.pem");
    this.names = names;
  }

  @Override
  public synchronized Shown look() {
    if (hasHalfRotated()) {
      move(following, next);
    }
    ShownKey shown = readOrMake(current);
    return new Shown(shown, KeyPins.of(shown.publicKey(), readOrMake(next).publicKey()));
  }

  /**
   * Makes the next key the present one. The key after it is written first, so that a full disk
   * changes nothing. An interrupted rotation is completed instead of skipping a key.
   */
  synchronized Shown rotate() {
    if (!hasHalfRotated()) {
      readOrMake(next);
      readOrMake(following);
      move(next, current);
    }
    return look();
  }

  private boolean hasHalfRotated() {
    return Files.exists(following) && !Files.exists(next);
  }

  private static void move(Path from, Path to) {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw failure(from, e);
    }
  }

  private ShownKey readOrMake(Path file) {
    try {
      String text = OwnerOnlyFile.read(file, MOST_BYTES);
      if (text != null) {
        return ShownKey.read(text, text);
      }
      KeyPair keys = SelfSigned.keys(random);
      ShownKey made =
          new ShownKey(
              keys.getPrivate(),
              List.of(SelfSigned.certificate(keys, "cascade orchestrator", names, random)));
      OwnerOnlyFile.makeFolder(file);
      OwnerOnlyFile.write(file, made.withKey());
      return made;
    } catch (IOException | IllegalArgumentException | GeneralSecurityException e) {
      throw failure(file, e);
    }
  }

  private static CommandException failure(Path file, Exception why) {
    return new CommandException(
        file
            + ": "
            + why.getMessage()
            + "; fix: restore the file, or remove it and give clients the new key",
        why);
  }
}
