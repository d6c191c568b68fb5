package io.cascade.packets.pipes;

import io.cascade.packets.header.IpAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The pipes to the far side, which all connections share. Implements the source's find_pipes and
 * get_pipe_properties; a connection's own set is kept in its record.
 */
public final class Pipes {
  /** Most pipes: more uplinks than a machine has. */
  public static final int MOST = 16;

  private static final Comparator<Pipe> QUICKEST =
      Comparator.<Pipe>comparingLong(pipe -> pipe.properties().roundTripNanos())
          .thenComparing(Pipe::id);

  private final List<Pipe> pipes = new ArrayList<>();

  /** Number of changes, by which a connection's set knows when to select again. */
  private int changes;

  /**
   * @param properties of each pipe, in the order of their numbers; 1 to 16
   */
  public Pipes(List<PipeProperties> properties) {
    if (properties.isEmpty() || properties.size() > MOST) {
      throw new IllegalArgumentException(
          "pipes: " + properties.size() + " (expected: 1 to " + MOST + ")");
    }
    for (PipeProperties each : properties) {
      pipes.add(new Pipe(new PipeId(pipes.size()), each));
    }
  }

  /** All pipes, in the order of their numbers. */
  public List<Pipe> all() {
    return List.copyOf(pipes);
  }

  /** Pipes that may be used now, in the order of their numbers. */
  public List<Pipe> usable() {
    return pipes.stream().filter(Pipe::usable).toList();
  }

  /**
   * The usable pipe with the least round trip; if none is usable, the fastest of those that an
   * operator allows, or of all if there are none.
   */
  public Pipe quickest() {
    return quickest(Pipe::usable)
        .or(() -> quickest(Pipe::employed))
        .or(() -> quickest(_ -> true))
        .orElseThrow();
  }

  /** The usable pipe with the least round trip that is not suspect; else {@link #quickest()}. */
  public Pipe quickest(long nowNanos) {
    return quickest(pipe -> pipe.usable() && !pipe.isSuspect(nowNanos)).orElseGet(this::quickest);
  }

  /**
   * The usable pipes in turn, the fastest first; {@link #quickest()} if none is usable.
   *
   * @param turn from 0 on
   */
  public Pipe inTurn(int turn) {
    List<Pipe> usable = usable().stream().sorted(QUICKEST).toList();
    return usable.isEmpty() ? quickest() : usable.get(turn % usable.size());
  }

  private Optional<Pipe> quickest(Predicate<Pipe> which) {
    return pipes.stream().filter(which).min(QUICKEST);
  }

  /** Returns the pipes that a policy selects for a connection, kept up to date. */
  public PipeSet select(PipeSelection policy, IpAddress near, IpAddress far) {
    return new PipeSet(this, policy, near, far);
  }

  /** Sets whether a pipe delivers. */
  public void become(PipeId pipe, boolean up) {
    Pipe changed = at(pipe);
    if (changed.up() != up) {
      changed.become(up);
      changes++;
    }
  }

  /** Employs a pipe, or withdraws it, also for existing connections. */
  public void employ(PipeId pipe, boolean employed) {
    Pipe changed = at(pipe);
    if (changed.employed() != employed) {
      changed.employ(employed);
      changes++;
    }
  }

  /** Replaces a pipe's properties. */
  public void measured(PipeId pipe, PipeProperties properties) {
    Pipe changed = at(pipe);
    if (!changed.properties().equals(properties)) {
      changed.measured(properties);
      changes++;
    }
  }

  /** Returns a pipe by its name. */
  public Pipe at(PipeId pipe) {
    return pipes.get(pipe.number());
  }

  int changes() {
    return changes;
  }

  /** The fastest of some pipes. */
  public static Pipe quickest(List<Pipe> some) {
    return some.stream().min(QUICKEST).orElseThrow();
  }
}
