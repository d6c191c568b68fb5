package io.cascade.relay.junction;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.PipeTotals;
import io.cascade.carriage.junction.Junction;
import io.cascade.carriage.junction.JunctionConnection;
import io.cascade.carriage.junction.PipeAccounting;
import io.cascade.carriage.transport.Connection;
import io.cascade.relay.stream.PipedConnection;
import io.cascade.segments.PipeReport;
import io.cascade.segments.PipeState;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Counts the pipes of one stream, by hop. Thread-safe. */
final class StreamPipes implements PipedConnection {
  private final Map<HopAddress, PipeCount> counts = new ConcurrentHashMap<>();

  /** Begins to count the pipes of a stream. */
  static void count(JunctionConnection connection) {
    connection.attr(PIPES).set(new StreamPipes());
  }

  /** Makes the accounting of one more pipe of a junction's stream over a hop. */
  static PipeAccounting accounting(Junction junction, PipeAccount account) {
    StreamPipes pipes = (StreamPipes) junction.connection().attr(PIPES).get();
    return new Accounting(account, pipes.counts.computeIfAbsent(account.hop(), PipeCount::new));
  }

  @Override
  public List<PipeTotals> pipes() {
    return counts.values().stream()
        .map(PipeCount::document)
        .sorted(Comparator.comparing(totals -> totals.hop().pipe()))
        .toList();
  }

  /** Counts a pipe among all pipes of its hop and among those of its stream. */
  private record Accounting(PipeAccount account, PipeCount count) implements PipeAccounting {
    @Override
    public void begins(Connection connection) {
      account.begins(connection);
      count.opened();
    }

    @Override
    public void ends(Connection connection) {
      account.ends(connection);
      count.ended();
    }

    @Override
    public void lost(String why) {
      account.count().lost(why);
      count.lost(why);
    }

    @Override
    public void withdrawn(String why) {
      account.count().moved(why);
      count.moved(why);
    }

    @Override
    public void is(PipeState state) {
      count.is(state);
    }

    @Override
    public void measured(@Nullable PipeReport before, @Nullable PipeReport now) {
      account.count().measured(before, now);
      count.measured(before, now);
    }

    @Override
    public void sent(long bytes) {
      account.count().sent(bytes);
      count.sent(bytes);
    }

    @Override
    public void received(long bytes) {
      account.count().received(bytes);
      count.received(bytes);
    }
  }
}
