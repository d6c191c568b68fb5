package io.cascade.client.transfer.wire;

import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.connection.TransferFailed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;

/** Message of a receiver: what it holds, receipts of blocks, and one answer at the end. */
public sealed interface Reply
    permits Offer, HeldExtents, Receipt, Checking, Queued, Load, StandingReply, FinalReply {
  int MAGIC_BYTES = 4;

  /** Encodes the message. */
  ByteBuffer encode();

  /**
   * Reads the next message.
   *
   * @throws IOException where the connection ended or failed before, or the bytes are no reply
   */
  static Reply read(ReadableByteChannel in) throws IOException {
    ByteBuffer start = ByteBuffer.allocate(MAGIC_BYTES);
    Channels.readFully(in, start);
    if (Arrays.equals(start.array(), Receipt.MAGIC)) {
      return Receipt.readRest(in);
    }
    if (Arrays.equals(start.array(), FinalReply.MAGIC)) {
      return FinalReply.readRest(in);
    }
    if (Arrays.equals(start.array(), Offer.MAGIC)) {
      return Offer.readRest(in);
    }
    if (Arrays.equals(start.array(), HeldExtents.MAGIC)) {
      return HeldExtents.readRest(in);
    }
    if (Arrays.equals(start.array(), Checking.MAGIC)) {
      return new Checking();
    }
    if (Arrays.equals(start.array(), Queued.MAGIC)) {
      return Queued.readRest(in);
    }
    if (Arrays.equals(start.array(), Load.MAGIC)) {
      return Load.readRest(in);
    }
    if (Arrays.equals(start.array(), StandingReply.MAGIC)) {
      return StandingReply.readRest(in);
    }
    throw new TransferFailed(
        "the peer is not a ./cascade receive; fix: send with --raw to a server of another kind");
  }
}
