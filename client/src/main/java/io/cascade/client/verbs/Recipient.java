package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.client.rendezvous.Meeting;
import io.cascade.client.sealed.Code;
import io.cascade.client.sealed.SealedAccess;
import io.cascade.client.sealed.Secret;
import io.cascade.client.transfer.ByteConnection;
import io.cascade.client.transfer.ReceiverAccess;
import io.cascade.client.transfer.TcpConnection;
import io.cascade.client.transfer.TransferFailed;
import io.cascade.command.CommandException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * To whom a file goes.
 *
 * @param at where the receiver listens, or the relay at which it is met
 * @param access how connections to it begin
 * @param meeting null where the receiver listens
 */
record Recipient(HostPort at, ReceiverAccess access, @Nullable Meeting meeting) {

  /**
   * Makes out what the command line says.
   *
   * @param code null where none is given
   * @param to null where it is not given
   * @param through the relay at which a receiver with the key is met; null where it is not given
   * @param keyFile null where none is given
   * @throws IllegalArgumentException naming what is missing, too much or malformed
   * @throws CommandException where the key cannot be used
   */
  static Recipient of(
      @Nullable String code,
      @Nullable HostPort to,
      @Nullable HostPort through,
      @Nullable Path keyFile) {
    if (code != null && through != null) {
      throw new IllegalArgumentException(
          "a code and --through: the code names the relay already, where there is one; leave out"
              + " the one or the other");
    }
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
      Meeting meeting =
          parsed.meeting().isEmpty() ? null : Meeting.named(parsed.at(), parsed.meeting());
      return new Recipient(parsed.at(), new SealedAccess(Secret.of(parsed)), meeting);
    }
    if (through != null) {
      if (to != null || keyFile == null) {
        throw new IllegalArgumentException(
            "--through RELAY goes with --key-file FILE, and without --to: the receiver is met at the"
                + " relay by the key");
      }
      byte[] key = KeyFile.read(keyFile);
      return new Recipient(
          through, new SealedAccess(Secret.ofKey(key)), Meeting.ofKey(through, key));
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
            : new SealedAccess(Secret.ofKey(KeyFile.read(keyFile))),
        null);
  }

  /** Whether a relay joins both ends, and no other way leads to the receiver. */
  boolean isMet() {
    return meeting != null;
  }

  /**
   * Connects; the connection is not yet one of the receiver's ({@link #over}).
   *
   * @throws TransferFailed naming the peer and why it could not be reached
   */
  TcpConnection connect(Duration timeout, boolean changesControl) throws TransferFailed {
    return meeting == null
        ? TcpConnection.connect(at, timeout, changesControl)
        : meeting.join(timeout, changesControl);
  }

  /** The way without an orchestrator, in words. */
  String way() {
    return (meeting == null ? "directly to " : "through relay ") + at;
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
