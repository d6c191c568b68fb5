package io.cascade.relay.junction;

import io.cascade.relay.hop.DestinationStatus;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.Outlet;
import io.cascade.relay.stream.StreamSettings;
import io.cascade.relay.stream.StreamStart;
import io.cascade.relay.transport.Connection;
import io.cascade.segments.Frame;
import io.cascade.segments.Reason;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One stream where its pipes begin. Opens it over the pipe that answers first, and has the others
 * join once the far junction has it, or when that takes long: a stream that is over soon takes no
 * other pipe's time, and no late pipe can open it a second time. On the stream's event loop.
 */
final class NearJunction implements Junction.Observer {
  /** For so long one pipe alone may try to open the stream. */
  private static final long ALONE_MILLIS = 300;

  private final StreamStart start;
  private final StreamSettings settings;
  private final PipeSource source;
  private final PipeHistory history;
  private final boolean first;
  private final Outlet.Onward stream;
  private final Junction junction;
  private final List<PipeKeeper> keepers = new ArrayList<>();
  private int nextNumber;
  private boolean established;
  private boolean confirmed;
  private @Nullable ScheduledFuture<?> alone;

  /** Makes the junction, which tells its observer of its pipes. */
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
      Outlet.Onward stream,
      Factory junctions) {
    this.start = start;
    this.settings = settings;
    this.source = source;
    this.history = history;
    this.first = first;
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
    keepers.get(history.best()).dial();
    alone = junction.loop().schedule(this::dialOthers, ALONE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void dialOthers() {
    keepers.stream().filter(PipeKeeper::isIdle).forEach(PipeKeeper::dial);
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

  /** Makes the end of a pipe whose connection was found. */
  PipeEnd begin(Connection connection, PipeAccount account) {
    int number = nextNumber++;
    return new PipeEnd(
        junction,
        number,
        connection,
        account,
        new Frame.PipeStart(Frame.VERSION, established, start.awaited(), number));
  }

  /** A next relay has taken a pipe. */
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

  /** A pipe could not be had. Where none can, there is no stream. */
  void failed(PipeKeeper keeper, CloseReason reason) {
    if (confirmed) {
      return;
    }
    dialOthers();
    if (keepers.stream().allMatch(PipeKeeper::hasFailed)) {
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
  }

  @Override
  public void refused(PipeEnd pipe, Reason reason, String detail) {
    if (reason == Reason.UNKNOWN_STREAM && !junction.hasPipes()) {
      junction.reset(reason, detail);
    }
    of(pipe, PipeKeeper::broke);
  }

  @Override
  public void lost(PipeEnd pipe, String why) {
    of(pipe, PipeKeeper::broke);
  }

  @Override
  public void over() {
    cancelAlone();
    keepers.forEach(PipeKeeper::stop);
  }

  private void of(PipeEnd pipe, Consumer<PipeKeeper> then) {
    for (PipeKeeper keeper : keepers) {
      if (keeper.pipe() == pipe) {
        then.accept(keeper);
        return;
      }
    }
  }

  private void cancelAlone() {
    ScheduledFuture<?> waiting = alone;
    if (waiting != null) {
      waiting.cancel(false);
      alone = null;
    }
  }
}
