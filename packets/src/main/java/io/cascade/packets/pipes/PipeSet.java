package io.cascade.packets.pipes;

import java.util.List;

/**
 * The pipes that a connection may use: those that its selection policy left of all. The source's
 * employ_pipes and withdraw_pipes are a set's making and a pipe's becoming unusable.
 */
public final class PipeSet {
  private final Pipes all;
  private final List<Pipe> members;

  PipeSet(Pipes all, List<Pipe> members) {
    this.all = all;
    this.members = List.copyOf(members);
  }

  /** All members, whether they are usable or not, in the order of their numbers. */
  public List<Pipe> members() {
    return members;
  }

  /**
   * Those that may be used now, in the order of their numbers; where none is, the quickest of all
   * pipes, for a packet must go somewhere. Never empty.
   */
  public List<Pipe> usable() {
    List<Pipe> usable = members.stream().filter(Pipe::usable).toList();
    return usable.isEmpty() ? List.of(all.quickest()) : usable;
  }

  /** The usable pipe of the least round trip. */
  public Pipe quickest() {
    return Pipes.quickest(usable());
  }
}
