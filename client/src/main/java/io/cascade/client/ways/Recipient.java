package io.cascade.client.ways;

import io.cascade.api.HostPort;
import io.cascade.client.rendezvous.Meeting;
import io.cascade.client.sealed.Code;
import io.cascade.client.sealed.SealedAccess;
import io.cascade.client.sealed.Secret;
import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.ReceiverAccess;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The receiver of a file.
 *
 * @param at address at which the receiver listens, or of the relay at which it waits
 * @param access how connections to it begin
 * @param meeting null where the receiver listens
 */
public record Recipient(HostPort at, ReceiverAccess access, @Nullable Meeting meeting) {

  /**
   * The receiver of a code, which listens or waits at a relay.
   *
   * @throws IllegalArgumentException where the code is malformed; the message names the fault and
   *     shows an example of a code
   */
  public static Recipient ofCode(String code) {
    Code parsed = Code.parse(code);
    Meeting meeting =
        parsed.meeting().isEmpty() ? null : Meeting.named(parsed.at(), parsed.meeting());
    return new Recipient(parsed.at(), new SealedAccess(Secret.of(parsed)), meeting);
  }

  /**
   * A receiver that listens and has the key.
   *
   * @param key of 16 random bytes or more
   */
  public static Recipient ofKey(HostPort at, byte[] key) {
    return new Recipient(at, new SealedAccess(Secret.ofKey(key)), null);
  }

  /**
   * A receiver that has the key and waits at a relay.
   *
   * @param key of 16 random bytes or more
   */
  public static Recipient metByKey(HostPort relay, byte[] key) {
    return new Recipient(relay, new SealedAccess(Secret.ofKey(key)), Meeting.ofKey(relay, key));
  }

  /** A receiver that listens and accepts every sender: nothing is encrypted. */
  public static Recipient inClear(HostPort at) {
    return new Recipient(at, ReceiverAccess.IN_CLEAR, null);
  }

  /**
   * The header of a transfer to it. A receiver with a key is told the sender's name, for its log. A
   * receiver with a code is not, so that a party that hands out codes learns no names.
   */
  public TransferHeader introduce(TransferHeader header) {
    return access instanceof SealedAccess sealed && sealed.isKeyed()
        ? header.with(header.fields().from(SenderName.ofThisUser()))
        : header;
  }

  /** Whether a relay joins both ends, and there is no other way to the receiver. */
  public boolean isMet() {
    return meeting != null;
  }

  /**
   * Connects; the connection does not reach the receiver before {@link #over}.
   *
   * @throws TransferFailed naming the peer and why it could not be reached
   */
  public TcpConnection connect(Duration timeout, boolean changesControl) throws TransferFailed {
    return meeting == null
        ? TcpConnection.connect(at, timeout, changesControl)
        : meeting.join(timeout, changesControl);
  }

  /** Description of the way without an orchestrator. */
  public String way() {
    return (meeting == null ? "directly to " : "through relay ") + at;
  }

  /** Whether data sent to it can be read on the path. */
  public boolean inClear() {
    return access.equals(ReceiverAccess.IN_CLEAR);
  }

  /**
   * Makes a connection usable; blocks until then.
   *
   * @throws TransferFailed where it cannot be used, whatever the reason
   */
  public ByteConnection over(ByteConnection connection) throws TransferFailed {
    try {
      return access.over(connection);
    } catch (TransferFailed e) {
      throw e;
    } catch (IOException e) {
      throw new TransferFailed(
          "not delivered: no ./cascade receive authenticated itself at %s (%s)"
              .formatted(at, e.getMessage()),
          e);
    }
  }

  @Override
  public String toString() {
    return at.toString();
  }
}
