package io.cascade.client.transfer;

import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.content.ByteRanges;
import io.cascade.client.transfer.content.Extents.Extent;
import io.cascade.client.transfer.schedule.BlockLedger;
import io.cascade.client.transfer.wire.Offer;
import io.cascade.client.transfer.wire.TransferHeader;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the receiver of a transfer reports that it holds, and the consequences for its sender: only
 * the rest is read and sent, while the file is read once for its digest and compared with what the
 * receiver holds. Guarded by the transfer's lock.
 */
final class Resumption {
  private final TransferHeader header;
  private final BlockReader content;
  private final BlockLedger<TransferConnection> ledger;
  private final SourceCheck.Listener checks;

  /** The receiver's identifier of what it holds; null before it was received. */
  private @Nullable UUID reception;

  /** What the receiver holds and is not read. */
  private ByteRanges held = new ByteRanges();

  /**
   * @param checks is told of reading the file, without any lock
   */
  Resumption(
      TransferHeader header,
      BlockReader content,
      BlockLedger<TransferConnection> ledger,
      SourceCheck.Listener checks) {
    this.header = header;
    this.content = content;
    this.ledger = ledger;
    this.checks = checks;
  }

  /**
   * Processes the receiver's offer. It belongs to another reception than before if the receiver or
   * this end was restarted, or something was damaged. The caller holds the content's lock, too.
   *
   * @return whether it is another reception, of which something is held or to be sent again
   * @throws TransferFailed where the file has no such bytes
   */
  boolean offered(TransferConnection connection, Offer offer) throws TransferFailed {
    if (header.sizeKnown() && offer.held().overlap(header.size(), Long.MAX_VALUE) > 0) {
      throw new TransferFailed("the receiver offers more bytes than there are");
    }
    connection.offered(offer.reception());
    if (offer.reception().equals(reception)) {
      ledger.holds(offer.held());
      return false;
    }
    boolean isFirst = reception == null;
    reception = offer.reception();
    return !isFirst || offer.held().bytes() > 0;
  }

  /** Reads from now on what is not held. Connections of other receptions must have been dropped. */
  void goOnWith(ByteRanges there) {
    held = ledger.begin(there);
    content.readAround(held.copy());
    if (there.bytes() == 0) {
      content.startCheck(checks);
    }
  }

  /** Records more extents that the receiver holds. */
  void held(TransferConnection connection, List<Extent> extents) {
    if (isCurrent(connection) && content.note(extents)) {
      content.startCheck(checks);
    }
  }

  /** Whether a connection belongs to the present reception, as far as is known. */
  boolean isCurrent(TransferConnection connection) {
    return Objects.equals(connection.reception(), reception);
  }

  /** Whether a connection is known to belong to an earlier reception. */
  boolean isPast(TransferConnection connection) {
    return connection.reception() != null && !isCurrent(connection);
  }

  /** Whether more may be read: little, until it is known what the receiver holds. */
  boolean mayRead(long readBytes) {
    return reception != null || readBytes < Offer.MOST_UNOFFERED;
  }

  /** Whether everything is ready for the trailer over a connection that has the rest. */
  boolean mayFinish(TransferConnection connection) {
    if (!isCurrent(connection)) {
      return false;
    }
    content.startCheck(checks); // In case the receiver did not list everything that it holds.
    return content.hasDigest();
  }

  /** Bytes from a position on that are not read. */
  long heldFrom(long position) {
    return held.bytesFrom(position);
  }
}
