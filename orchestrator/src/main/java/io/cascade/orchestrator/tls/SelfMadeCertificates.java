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
 * A key that the orchestrator has made and the one that comes next, each with a certificate that it
 * has signed itself, in a file for each. Clients know both before the second is shown: it takes the
 * first one's place by the renaming of its file, so that there is always one to show.
 */
final class SelfMadeCertificates implements CertificateSource {
  private static final int MOST_BYTES = 16_384;

  private final Path current;
  private final Path next;

  /** The key after the next one; there only while keys rotate. */
  private final Path following;

  private final Collection<String> names;
  private final SecureRandom random = new SecureRandom();

  /**
   * @param folder of the owner alone
   * @param names for certificates that are made from now on
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
   * The next key is shown from now on, and another one comes after it, which is written first: a
   * full disk changes nothing. What failed half-way is finished, and no further key is skipped.
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
            + "; fix: restore the file, or remove it, and clients have to be told the new key",
        why);
  }
}
