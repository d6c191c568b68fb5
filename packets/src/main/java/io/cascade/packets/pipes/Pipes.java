package io.cascade.packets.pipes;

import io.cascade.packets.header.IpAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The pipes to the far side, which all connections share. What the source calls find_pipes and
 * get_pipe_properties is answered here; a connection's own set is kept in its record.
 */
public final class Pipes {
  /** Bound of pipes: more uplinks than a machine has. */
  public static final int MOST = 16;

  private static final Comparator<Pipe> QUICKEST =
      Comparator.<Pipe>comparingLong(pipe -> pipe.properties().roundTripNanos())
          .thenComparing(Pipe::id);

  private final List<Pipe> pipes = new ArrayList<>();

  /** Counts changes, so that a connection's set knows when to select anew. */
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

  /** All of them, in the order of their numbers. */
  public List<Pipe> all() {
    return List.copyOf(pipes);
  }

  /** Pipes that may be used now, in the order of their numbers. */
  public List<Pipe> usable() {
    return pipes.stream().filter(Pipe::usable).toList();
  }

  /**
   * The usable pipe of the least round trip; where none is usable, the quickest of those that an
   * operator lets be used, and only where there is none of all.
   */
  public Pipe quickest() {
    return quickest(Pipe::usable)
        .or(() -> quickest(Pipe::employed))
        .or(() -> quickest(_ -> true))
        .orElseThrow();
  }

  /** The usable pipe of the least round trip that is not suspect; else the {@link #quickest()}. */
  public Pipe quickest(long nowNanos) {
    return quickest(pipe -> pipe.usable() && !pipe.isSuspect(nowNanos)).orElseGet(this::quickest);
  }

  /**
   * The usable pipes in turn, the quickest first; the {@link #quickest()} where none is usable.
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

  /** The pipes that a policy leaves to a connection, now and after each change. */
  public PipeSet select(PipeSelection policy, IpAddress near, IpAddress far) {
    return new PipeSet(this, policy, near, far);
  }

  /** Says whether a pipe delivers. */
  public void become(PipeId pipe, boolean up) {
    Pipe changed = at(pipe);
    if (changed.up() != up) {
      changed.become(up);
      changes++;
    }
  }

  /** Employs a pipe, or withdraws it; for connections that exist too. */
  public void employ(PipeId pipe, boolean employed) {
    Pipe changed = at(pipe);
    if (changed.employed() != employed) {
      changed.employ(employed);
      changes++;
    }
  }

  /** Replaces what is known of a pipe. */
  public void measured(PipeId pipe, PipeProperties properties) {
    Pipe changed = at(pipe);
    if (!changed.properties().equals(properties)) {
      changed.measured(properties);
      changes++;
    }
  }

  /** A pipe by its name. */
  public Pipe at(PipeId pipe) {
    return pipes.get(pipe.number());
  }

  int changes() {
    return changes;
  }

  /** The quickest of some. */
  public static Pipe quickest(List<Pipe> some) {
    return some.stream().min(QUICKEST).orElseThrow();
  }
}
