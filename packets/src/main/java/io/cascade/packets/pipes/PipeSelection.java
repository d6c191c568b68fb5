package io.cascade.packets.pipes;

import io.cascade.packets.header.IpAddress;
import io.cascade.packets.header.IpPrefix;
import java.util.Comparator;
import java.util.List;

/** Selection of a connection's pipes: the policies of the source, section 3.9. */
public sealed interface PipeSelection {
  /**
   * @param pipes that may be used, in the order of their numbers
   * @return some of them, in the same order; possibly none
   */
  List<Pipe> select(List<Pipe> pipes, IpAddress near, IpAddress far);

  /** All pipes. */
  record All() implements PipeSelection {
    @Override
    public List<Pipe> select(List<Pipe> pipes, IpAddress near, IpAddress far) {
      return pipes;
    }
  }

  /**
   * Only pipes with similar round trips.
   *
   * @param mostNanos most above the fastest one
   */
  record ByDelayDifference(long mostNanos) implements PipeSelection {
    @Override
    public List<Pipe> select(List<Pipe> pipes, IpAddress near, IpAddress far) {
      long least =
          pipes.stream().mapToLong(pipe -> pipe.properties().roundTripNanos()).min().orElse(0);
      return pipes.stream()
          .filter(pipe -> pipe.properties().roundTripNanos() - least <= mostNanos)
          .toList();
    }
  }

  /**
   * Pipes with little loss.
   *
   * @param most probability, 0 to 1
   */
  record ByLoss(double most) implements PipeSelection {
    @Override
    public List<Pipe> select(List<Pipe> pipes, IpAddress near, IpAddress far) {
      return pipes.stream().filter(pipe -> pipe.properties().lossProbability() <= most).toList();
    }
  }

  /**
   * The fastest pipes.
   *
   * @param count at least 1
   */
  record AtMost(int count) implements PipeSelection {
    public AtMost {
      if (count < 1) {
        throw new IllegalArgumentException("pipes: " + count + " (expected: >= 1)");
      }
    }

    @Override
    public List<Pipe> select(List<Pipe> pipes, IpAddress near, IpAddress far) {
      return pipes.stream()
          .sorted(Comparator.comparingLong((Pipe pipe) -> pipe.properties().roundTripNanos()))
          .limit(count)
          .sorted(Comparator.comparing(Pipe::id))
          .toList();
    }
  }

  /** Another policy for connections with an end in a prefix. */
  record ByEndpoint(IpPrefix prefix, PipeSelection within, PipeSelection elsewhere)
      implements PipeSelection {
    @Override
    public List<Pipe> select(List<Pipe> pipes, IpAddress near, IpAddress far) {
      boolean inside = prefix.contains(near) || prefix.contains(far);
      return (inside ? within : elsewhere).select(pipes, near, far);
    }
  }

  /** Policies in sequence, each applied to the result of the previous one. */
  record InTurn(List<PipeSelection> policies) implements PipeSelection {
    public InTurn {
      policies = List.copyOf(policies);
    }

    @Override
    public List<Pipe> select(List<Pipe> pipes, IpAddress near, IpAddress far) {
      List<Pipe> left = pipes;
      for (PipeSelection policy : policies) {
        left = policy.select(left, near, far);
      }
      return left;
    }
  }
}
