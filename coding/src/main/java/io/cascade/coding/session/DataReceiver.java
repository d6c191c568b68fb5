package io.cascade.coding.session;

import io.cascade.coding.wire.AckFrame;
import io.cascade.coding.wire.Malformed;
import io.cascade.coding.wire.PacketHeader;
import io.cascade.coding.wire.PacketType;
import io.cascade.coding.wire.RepairHeader;
import io.cascade.coding.wire.SourceHeader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The receiving half of a session: packets in, acknowledgements and bytes in order out. */
final class DataReceiver {
  private static final int ID_BITS = 32;
  private static final long MICRO = 1_000;

  private final int contentBytes;
  private final ReceivedPackets packets = new ReceivedPackets();
  private final ReceivingSymbols symbols;
  private final AckPlan plan = new AckPlan();
  private final byte[] sum;
  private long largestReceivedNanos;
  private long acknowledgements;
  private long toldCredit;

  DataReceiver(SessionSettings settings, @Nullable SymbolContents contents) {
    this.contentBytes = settings.contentBytes();
    this.symbols = new ReceivingSymbols(settings, contents);
    this.sum = new byte[settings.symbolBytes()];
    this.toldCredit = symbols.credit();
  }

  ReceivedPackets packets() {
    return packets;
  }

  ReceivingSymbols symbols() {
    return symbols;
  }

  /** Takes a data packet whose number is new. */
  void onPacket(PacketHeader header, ByteBuffer body, long nowNanos) throws Malformed {
    if (header.type() == PacketType.SOURCE) {
      SourceHeader source = SourceHeader.read(body, contentBytes);
      arrived(header, nowNanos);
      symbols.source(expand(source.id()), body);
    } else {
      RepairHeader repair = RepairHeader.read(body, header.type(), sum.length);
      body.get(sum);
      arrived(header, nowNanos);
      symbols.repair(repair, expand(repair.first()), sum);
    }
  }

  private void arrived(PacketHeader header, long nowNanos) {
    noteNumber(header.number(), nowNanos);
    plan.packetArrived(nowNanos);
  }

  /** Records a packet that needs no acknowledgement. */
  void noteNumber(long number, long nowNanos) {
    if (number > packets.largest()) {
      largestReceivedNanos = nowNanos;
    }
    packets.note(number);
  }

  /** Sends an acknowledgement at once. */
  void hurry(long nowNanos) {
    plan.hurry(nowNanos);
  }

  private long expand(long id) {
    return PacketHeader.expand(id, ID_BITS, symbols.end() - 1);
  }

  /** Returns when an acknowledgement is due. */
  long ackDueNanos() {
    return plan.dueNanos();
  }

  AckFrame acknowledge(long nowNanos) {
    long number = acknowledgements++;
    int bytes = plan.sent(nowNanos);
    toldCredit = symbols.credit();
    return new AckFrame(
        number & 0xffff_ffffL,
        Math.max(0, packets.largest()),
        (largestReceivedNanos / MICRO) & 0xffff_ffffL,
        Math.max(0, (nowNanos - largestReceivedNanos) / MICRO),
        symbols.lowestMissing(),
        symbols.seen(),
        toldCredit,
        packets.map(bytes),
        symbols.gaps(number & 0xffff_ffffL));
  }

  /** Copies bytes that are next in order; notifies the sender if that frees much room. */
  int read(ByteBuffer into, long nowNanos, int windowSymbols) {
    int copied = symbols.read(into);
    if (symbols.credit() - toldCredit >= windowSymbols / 4) {
      plan.hurry(nowNanos);
    }
    return copied;
  }
}
