package io.cascade.relay.junction;

import io.cascade.carriage.junction.Junction;
import io.cascade.carriage.junction.JunctionConnection;
import io.cascade.carriage.junction.PipeEnd;
import io.cascade.carriage.transport.Connection;
import io.cascade.relay.hop.DestinationStatus;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.Outlet;
import io.cascade.relay.stream.StreamSettings;
import io.cascade.relay.stream.StreamStart;
import io.cascade.segments.Frame;
import io.cascade.segments.Reason;
import io.cascade.segments.SegmentStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One stream at the junction where its pipes begin. Opens the stream over the pipe that answered
 * fastest before. The others join once the far junction has the stream, or if that takes long. So a
 * short stream takes no time of other pipes, and no late pipe can open it a second time. Runs on
 * the stream's event loop.
 */
final class NearJunction implements Junction.Observer {
  /** Time for which one pipe alone tries to open the stream. */
  private static final long ALONE_MILLIS = 300;

  private final StreamStart start;
  private final StreamSettings settings;
  private final PipeSource source;
  private final PipeHistory history;
  private final boolean first;
  private final SegmentCounters counters;
  private final Outlet.ServedStream stream;
  private final Junction junction;

  /** One keeper per pipe of the segment. */
  private final List<PipeKeeper> keepers = new ArrayList<>();

  /** Keepers that were replaced and still have pipes. */
  private final List<PipeKeeper> replaced = new ArrayList<>();

  /** Keepers whose pipes were withdrawn and have not ended yet. */
  private final List<PipeKeeper> leaving = new ArrayList<>();

  private final Runnable watcher = this::sourceChanged;
  private int nextNumber;
  private boolean established;
  private boolean confirmed;
  private @Nullable ScheduledFuture<?> alone;

  /** Makes the junction, which notifies its observer about its pipes. */
  interface Factory {
    Junction create(Junction.Observer observer);
  }

  /**
   * @param first whether this relay is the chain's first, which waits for the destination's status
   */
  NearJunction(
      StreamStart start,
      StreamSettings settings,
      PipeSource source,
      PipeHistory history,
      boolean first,
      SegmentCounters counters,
      Outlet.ServedStream stream,
      Factory junctions) {
    this.start = start;
    this.settings = settings;
    this.source = source;
    this.history = history;
    this.first = first;
    this.counters = counters;
    this.stream = stream;
    this.junction = junctions.create(this);
    for (int i = 0; i < history.count(); i++) {
      keepers.add(new PipeKeeper(i, this));
    }
  }

  /** Gives the stream its connection and opens the first pipe. */
  void begin() {
    JunctionConnection connection = junction.connection();
    junction.loop().register(connection);
    boolean warm = false;
    for (int i = 0; i < source.count(); i++) {
      PipeSource.Way way = source.at(i);
      warm |= way != null && way.outlet().ready() > 0;
    }
    stream.offered(connection, warm);
    source.watch(watcher);
    keepers.get(history.best(pipe -> !isWithdrawn(pipe))).dial();
    alone = junction.loop().schedule(this::dialOthers, ALONE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void dialOthers() {
    wanted().stream().filter(PipeKeeper::isIdle).forEach(PipeKeeper::dial);
  }

  /** Keepers whose pipes are in use; all of them if every pipe is withdrawn. */
  private List<PipeKeeper> wanted() {
    List<PipeKeeper> wanted =
        keepers.stream().filter(keeper -> !isWithdrawn(keeper.index())).toList();
    return wanted.isEmpty() ? List.copyOf(keepers) : wanted;
  }

  private boolean isWithdrawn(int index) {
    PipeSource.Way way = source.at(index);
    return way != null && way.withdrawn();
  }

  private void sourceChanged() {
    junction.loop().execute(this::follow);
  }

  /**
   * Follows changes of the segment: opens new pipes before it withdraws those that led elsewhere.
   */
  private void follow() {
    int count = source.count();
    if (junction.isOver() || count == 0) {
      return; // A part that takes no more streams does not affect running ones.
    }
    while (keepers.size() > count) {
      PipeKeeper surplus = keepers.removeLast();
      surplus.replace();
      replaced.add(surplus);
    }
    for (PipeKeeper keeper : List.copyOf(keepers)) {
      PipeSource.Way way = source.at(keeper.index());
      if (way != null && keeper.isElsewhereThan(way.outlet())) {
        replace(keeper);
      } else if (way != null) {
        keeper.dialNow(way.outlet());
      }
    }
    while (keepers.size() < count) {
      keepers.add(new PipeKeeper(keepers.size(), this));
    }
    if (established) {
      dialOthers();
    }
    relieve();
  }

  /** Replaces a keeper by a new one. */
  private void replace(PipeKeeper keeper) {
    keeper.replace();
    replaced.add(keeper);
    keepers.set(keeper.index(), new PipeKeeper(keeper.index(), this));
  }

  /** Withdraws the pipes that others have replaced, and those that streams must not use. */
  private void relieve() {
    boolean others =
        keepers.stream().anyMatch(each -> each.isAccepted() && !isWithdrawn(each.index()));
    if (others) {
      keepers.stream()
          .filter(each -> each.pipe() != null && isWithdrawn(each.index()))
          .toList()
          .forEach(this::replace);
    }
    for (PipeKeeper each : List.copyOf(replaced)) {
      boolean drains = isWithdrawn(each.index());
      boolean hasSuccessor = each.index() < keepers.size() && !drains;
      boolean isRelieved = hasSuccessor ? keepers.get(each.index()).isAccepted() : others;
      if (isRelieved
          && each.withdraw(drains ? "a relay on it drains" : "the chain's route has changed")) {
        replaced.remove(each);
        leaving.add(each);
      }
    }
  }

  Junction junction() {
    return junction;
  }

  StreamStart start() {
    return start;
  }

  StreamSettings settings() {
    return settings;
  }

  PipeHistory history() {
    return history;
  }

  PipeSource.@Nullable Way way(int index) {
    return source.at(index);
  }

  /** Makes the end of a pipe whose connection is open. */
  PipeEnd begin(Connection connection, PipeAccount account, boolean respondsToLoss) {
    int number = nextNumber++;
    return new PipeEnd(
        junction,
        number,
        connection,
        StreamPipes.accounting(junction, account),
        new Frame.PipeStart(Frame.VERSION, established, start.awaited(), number),
        respondsToLoss);
  }

  /** The next relay has accepted a pipe. */
  void confirmed() {
    if (confirmed) {
      return;
    }
    confirmed = true;
    if (!stream.waiting()) {
      junction.connection().close();
    } else if (first && start.awaited()) {
      DestinationStatus.await(junction.connection(), settings.connectTimeout(), new Awaiting());
    } else {
      stream.confirmed(junction.connection(), Unpooled.EMPTY_BUFFER);
    }
  }

  private final class Awaiting implements DestinationStatus.Listener {
    @Override
    public void connected(Channel channel, ByteBuf early) {
      stream.confirmed(channel, early);
    }

    @Override
    public void failed(CloseReason.ConnectFailed.Kind kind) {
      fail(new CloseReason.DestinationFailed(kind, "through a segment"));
    }

    @Override
    public void missing(String why) {
      fail(new CloseReason.NotConfirmed(why));
    }
  }

  /** A pipe could not be opened. If none can, the stream fails. */
  void failed(PipeKeeper keeper, CloseReason reason) {
    if (confirmed) {
      return;
    }
    dialOthers();
    if (wanted().stream().allMatch(PipeKeeper::hasFailed)) {
      fail(reason);
    }
  }

  private void fail(CloseReason reason) {
    if (stream.waiting()) {
      stream.failed(reason);
    }
    junction.connection().close();
  }

  @Override
  public void accepted(PipeEnd pipe) {
    of(pipe, keeper -> keeper.accepted(pipe));
    if (!established) {
      established = true;
      cancelAlone();
      dialOthers();
    }
    relieve();
  }

  @Override
  public void left(PipeEnd pipe) {
    leaving.removeIf(keeper -> keeper.pipe() == pipe);
  }

  @Override
  public void refused(PipeEnd pipe, Reason reason, String detail) {
    boolean forgotten = reason == Reason.UNKNOWN_STREAM && !junction.hasPipes();
    of(pipe, PipeKeeper::refused);
    if (!established) {
      dialOthers();
    }
    // Dialling again is not expected to help once every pipe was refused.
    boolean noneTaken = !established && wanted().stream().allMatch(PipeKeeper::isRefused);
    if (forgotten || noneTaken) {
      junction.reset(reason, detail);
    }
  }

  @Override
  public void lost(PipeEnd pipe, String why) {
    of(pipe, PipeKeeper::broke);
  }

  @Override
  public void ended(SegmentStream stream) {
    counters.ended(stream);
  }

  @Override
  public void over() {
    cancelAlone();
    source.unwatch(watcher);
    keepers.forEach(PipeKeeper::stop);
    replaced.forEach(PipeKeeper::stop);
    leaving.forEach(PipeKeeper::stop);
  }

  private void of(PipeEnd pipe, Consumer<PipeKeeper> then) {
    Stream.of(keepers, replaced, leaving)
        .flatMap(List::stream)
        .filter(keeper -> keeper.pipe() == pipe)
        .findFirst()
        .ifPresent(then);
  }

  private void cancelAlone() {
    ScheduledFuture<?> waiting = alone;
    if (waiting != null) {
      waiting.cancel(false);
      alone = null;
    }
  }
}
