package io.cascade.testbed.emulator;

import java.lang.foreign.MemorySegment;

/**
 * Memory for packets, in slots of one size. The slot that was given back last is taken next: its
 * memory is warm.
 */
final class PacketPool {
  private final MemorySegment memory;
  private final int slotBytes;
  private final int[] free;
  private int freeCount;

  PacketPool(MemorySegment memory, int slotBytes) {
    this.memory = memory;
    this.slotBytes = slotBytes;
    this.free = new int[Math.toIntExact(memory.byteSize() / slotBytes)];
    for (int slot = free.length - 1; slot >= 0; slot--) {
      free[freeCount++] = slot;
    }
  }

  /** A slot's number, or -1 where all are in use. */
  int take() {
    return freeCount == 0 ? -1 : free[--freeCount];
  }

  void giveBack(int slot) {
    free[freeCount++] = slot;
  }

  long address(int slot) {
    return memory.address() + (long) slot * slotBytes;
  }

  int slotBytes() {
    return slotBytes;
  }

  int free() {
    return freeCount;
  }
}
