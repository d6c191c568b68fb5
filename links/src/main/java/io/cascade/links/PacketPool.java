package io.cascade.links;

import java.lang.foreign.MemorySegment;

/**
 * Memory for packets, in slots of one size. The most recently returned slot is used next, since its
 * memory is in the cache.
 */
public final class PacketPool {
  private final MemorySegment memory;
  private final int slotBytes;
  private final int[] free;
  private int freeCount;

  public PacketPool(MemorySegment memory, int slotBytes) {
    this.memory = memory;
    this.slotBytes = slotBytes;
    this.free = new int[Math.toIntExact(memory.byteSize() / slotBytes)];
    for (int slot = free.length - 1; slot >= 0; slot--) {
      free[freeCount++] = slot;
    }
  }

  /** Takes a slot and returns its number, or -1 if all are in use. */
  public int take() {
    return freeCount == 0 ? -1 : free[--freeCount];
  }

  public void giveBack(int slot) {
    free[freeCount++] = slot;
  }

  public long address(int slot) {
    return memory.address() + (long) slot * slotBytes;
  }

  /** A packet in a slot. */
  MemorySegment packet(int slot, int length) {
    return memory.asSlice((long) slot * slotBytes, length);
  }

  public int slotBytes() {
    return slotBytes;
  }

  public int free() {
    return freeCount;
  }
}
