package io.cascade.coding.redundancy;

import io.cascade.coding.block.BlockSize;
import io.cascade.coding.window.GapSet;
import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * The block mode of the TCP/NC tunnel: n source symbols, then m − n repairs over them, m by {@link
 * BlockSize}. If the receiver still lacks k symbols of a block after all packets of the block were
 * reported, ⌈k/(1 − r)⌉ + 1 more repairs are sent, after each such report.
 *
 * <pre>
 * FILLING(n) ─▶ SENT(m) ─▶ DECODED
 *                 │  ▲
 *                 ▼  │
 *               ASKED(k)
 * </pre>
 *
 * A block also ends when no source symbol waits, so that a tail is protected; the tunnel's gateways
 * wait for n there.
 */
public final class PaperBlocks implements RedundancyPolicy {
  private static final double HIGHEST_LOSS = 0.6;

  private final int symbolsPerBlock;
  private final ArrayDeque<Block> sent = new ArrayDeque<>();
  private long fillingFirst;

  /** Repairs of a block that are still to be sent. */
  private static final class Block {
    private final long first;
    private final int count;
    private int owed;
    private long lastPacket = -1;

    Block(long first, int count, int owed) {
      this.first = first;
      this.count = count;
      this.owed = owed;
    }
  }

  /**
   * @param symbolsPerBlock n, 1 to 255; the tunnel's authors mostly observed 40
   */
  public PaperBlocks(int symbolsPerBlock) {
    this.symbolsPerBlock = symbolsPerBlock;
  }

  @Override
  public Choice choose(SendingView view) {
    double loss = Math.min(HIGHEST_LOSS, view.lossRate());
    int filled = (int) (view.next() - fillingFirst);
    if (filled >= symbolsPerBlock || (filled > 0 && !view.sourceWaits())) {
      int packets = BlockSize.packetsFor(filled, loss, view.burstPackets());
      sent.add(new Block(fillingFirst, filled, packets - filled));
      sent.peekLast().lastPacket = view.nextPacket() - 1;
      fillingFirst = view.next();
    }
    for (Iterator<Block> blocks = sent.iterator(); blocks.hasNext(); ) {
      Block block = blocks.next();
      if (block.first + block.count <= view.floor()) {
        blocks.remove();
        continue;
      }
      if (block.owed == 0 && block.lastPacket <= view.reportedPacket()) {
        int unseen = within(view.gaps(), block);
        block.owed = unseen == 0 ? 0 : (int) Math.ceil(unseen / (1 - loss)) + 1;
      }
      if (block.owed > 0) {
        block.owed--;
        block.lastPacket = view.nextPacket();
        return new Choice.Repair(false, block.first, block.count);
      }
    }
    return view.sourceWaits() ? Choice.SOURCE : Choice.NOTHING;
  }

  @Override
  public boolean remembers() {
    return true;
  }

  @Override
  public Choice probe(SendingView view) {
    Block oldest = sent.peekFirst();
    return oldest == null
        ? RedundancyPolicy.super.probe(view)
        : new Choice.Repair(false, oldest.first, oldest.count);
  }

  private static int within(GapSet gaps, Block block) {
    int count = 0;
    long end = block.first + block.count;
    for (int range = 0; range < gaps.ranges(); range++) {
      long first = Math.max(block.first, gaps.first(range));
      long last = Math.min(end, gaps.first(range) + gaps.length(range));
      count += (int) Math.max(0, last - first);
    }
    return count;
  }
}
