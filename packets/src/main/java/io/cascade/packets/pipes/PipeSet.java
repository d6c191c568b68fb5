package io.cascade.packets.pipes;

import io.cascade.packets.header.IpAddress;
import java.util.List;

/**
 * The pipes that a connection may use: those that its selection policy leaves of all usable ones.
 * It is selected anew whenever a pipe goes out of use, comes back, is employed, is withdrawn, or
 * has been measured: the source's employ_pipes, withdraw_pipes and select_pipes.
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
   * Those that may be used now, in the order of their numbers; where the policy leaves none, the
   * quickest of all pipes, for a packet must go somewhere. Never empty.
   */
  public List<Pipe> usable() {
    if (selectedAt != all.changes()) {
      List<Pipe> left = policy.select(all.usable(), near, far);
      selected = left.isEmpty() ? List.of(all.quickest()) : List.copyOf(left);
      selectedAt = all.changes();
    }
    return selected;
  }

  /** The usable pipe of the least round trip. */
  public Pipe quickest() {
    return Pipes.quickest(usable());
  }

  /** The usable pipe of the least round trip that is not suspect; of all where every one is. */
  public Pipe quickest(long nowNanos) {
    List<Pipe> trusted = usable().stream().filter(pipe -> !pipe.isSuspect(nowNanos)).toList();
    return trusted.isEmpty() ? quickest() : Pipes.quickest(trusted);
  }

  /** A pipe by its name, whether it is selected or not. */
  public Pipe at(PipeId pipe) {
    return all.at(pipe);
  }
}
