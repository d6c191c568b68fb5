package io.cascade.packets.pipes;

import io.cascade.packets.header.IpAddress;
import java.util.List;

/**
 * The pipes that a connection may use: those of the usable ones that its policy selects. They are
 * selected again whenever a pipe fails, recovers, is employed, is withdrawn, or was measured: the
 * source's employ_pipes, withdraw_pipes and select_pipes.
 */
public final class PipeSet {
  private final Pipes all;
  private final PipeSelection policy;
  private final IpAddress near;
  private final IpAddress far;
  private List<Pipe> selected = List.of();
  private int selectedAt = -1;

  PipeSet(Pipes all, PipeSelection policy, IpAddress near, IpAddress far) {
    this.all = all;
    this.policy = policy;
    this.near = near;
    this.far = far;
  }

  /**
   * Pipes that may be used now, in the order of their numbers; if the policy selects none, the
   * fastest of all pipes, since packets must be sent somewhere. Never empty.
   */
  public List<Pipe> usable() {
    if (selectedAt != all.changes()) {
      List<Pipe> left = policy.select(all.usable(), near, far);
      selected = left.isEmpty() ? List.of(all.quickest()) : List.copyOf(left);
      selectedAt = all.changes();
    }
    return selected;
  }

  /** The usable pipe with the least round trip. */
  public Pipe quickest() {
    return Pipes.quickest(usable());
  }

  /**
   * The usable pipe with the least round trip that is not suspect; of all if every one is suspect.
   */
  public Pipe quickest(long nowNanos) {
    List<Pipe> trusted = usable().stream().filter(pipe -> !pipe.isSuspect(nowNanos)).toList();
    return trusted.isEmpty() ? quickest() : Pipes.quickest(trusted);
  }

  /** Returns a pipe by its name, whether or not it is selected. */
  public Pipe at(PipeId pipe) {
    return all.at(pipe);
  }
}
