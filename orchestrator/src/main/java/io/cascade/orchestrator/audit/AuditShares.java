package io.cascade.orchestrator.audit;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Whose entries go where there are too many: of whoever has the most, so that nobody removes what
 * others did by doing much. Half of the trail is for those who manage the system and half for all
 * others; what one half does not need the other has.
 */
final class AuditShares {
  private AuditShares() {}

  /**
   * A caller with entries.
   *
   * @param manages whether the entries are of an operator or an admin
   */
  record Holder(String caller, boolean manages, long entries) {}

  /**
   * Returns how many entries of whom are to go, so that {@code most} are left.
   *
   * @param holders each of them once
   */
  static Map<Holder, Long> excess(List<Holder> holders, long most) {
    Group managing = new Group();
    Group others = new Group();
    holders.forEach(one -> (one.manages() ? managing : others).add(one));
    Map<Holder, Long> goes = new HashMap<>();
    while (managing.entries + others.entries > most) {
      Group larger = managing.entries > most / 2 ? managing : others;
      goes.merge(larger.takeOne(), 1L, Long::sum);
    }
    return goes;
  }

  private static final class Group {
    private final PriorityQueue<Left> byEntries =
        new PriorityQueue<>(Comparator.comparingLong(Left::entries).reversed());
    private long entries;

    private record Left(Holder of, long entries) {}

    void add(Holder holder) {
      byEntries.add(new Left(holder, holder.entries()));
      entries += holder.entries();
    }

    Holder takeOne() {
      Left most = byEntries.remove();
      byEntries.add(new Left(most.of, most.entries - 1));
      entries--;
      return most.of;
    }
  }
}
