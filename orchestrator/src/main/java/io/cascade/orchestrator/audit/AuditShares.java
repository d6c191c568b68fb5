package io.cascade.orchestrator.audit;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Choice of the entries to remove when the trail has too many: those of the caller with the most
 * entries, so that no caller can displace the entries of others by making many calls. Half of the
 * trail is for callers that manage the system and half for all others; each group may use what the
 * other leaves free.
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
   * Returns how many entries of each holder to remove, so that {@code most} remain.
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
