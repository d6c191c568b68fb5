package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.client.sealed.Code;
import io.cascade.client.sealed.SealedAccess;
import io.cascade.client.sealed.Secret;
import io.cascade.client.transfer.ByteConnection;
import io.cascade.client.transfer.ReceiverAccess;
import io.cascade.client.transfer.TransferFailed;
import io.cascade.command.CommandException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * To whom a file goes.
 *
 * @param at where the receiver listens
 * @param access how connections to it begin
 */
record Recipient(HostPort at, ReceiverAccess access) {

  /**
   * Makes out what the command line says.
   *
   * @param code null where none is given
   * @param to null where it is not given
   * @param keyFile null where none is given
   * @throws IllegalArgumentException naming what is missing, too much or malformed
   * @throws CommandException where the key cannot be used
   */
  static Recipient of(@Nullable String code, @Nullable HostPort to, @Nullable Path keyFile) {
    if (code != null && to != null) {
      throw new IllegalArgumentException(
          "a code and --to: the code names the receiver already; leave out the one or the other");
    }
    if (code != null && keyFile != null) {
      throw new IllegalArgumentException(
          "a code and --key-file: give --to HOST:PORT with the key, or the code alone");
    }
    if (code != null) {
      Code parsed = Code.parse(code);
      return new Recipient(parsed.at(), new SealedAccess(Secret.of(parsed)));
    }
    if (to == null) {
      throw new IllegalArgumentException(
          "nobody to send to: give the CODE that ./cascade receive prints, or --to HOST:PORT with"
              + " --key-file FILE");
    }
    return new Recipient(
        to,
        keyFile == null
            ? ReceiverAccess.IN_CLEAR
            : new SealedAccess(Secret.ofKey(KeyFile.read(keyFile))));
  }

  /** Whether what goes to it can be read on the way. */
  boolean inClear() {
    return access.equals(ReceiverAccess.IN_CLEAR);
  }

  /**
   * Waits until a connection can be used.
   *
   * @throws TransferFailed where it cannot, whatever the reason
   */
  ByteConnection over(ByteConnection connection) throws TransferFailed {
    try {
      return access.over(connection);
    } catch (TransferFailed e) {
      throw e;
    } catch (IOException e) {
      throw new TransferFailed(
          "not delivered: no ./cascade receive proved itself at %s (%s)"
              .formatted(at, e.getMessage()),
          e);
    }
  }

  @Override
  public String toString() {
    return at.toString();
  }
}
