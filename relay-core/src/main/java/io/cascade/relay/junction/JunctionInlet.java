package io.cascade.relay.junction;

import io.cascade.api.BoundedMap;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.carriage.junction.Junction;
import io.cascade.carriage.junction.JunctionConnection;
import io.cascade.carriage.junction.PipeEnd;
import io.cascade.carriage.transport.Connection;
import io.cascade.relay.stream.StreamStart;
import io.cascade.segments.Frame;
import io.cascade.segments.Reason;
import io.cascade.segments.SegmentStream;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The end of a segment's pipes: puts those of one stream together, by the stream's name. The first
 * pipe of a stream brings its event loop with it, which owns the stream from then on. Called on the
 * pipes' event loops; lives as long as the chain, whatever part is installed.
 */
public final class JunctionInlet {
  /** Streams that are over, which a late pipe must not open again. */
  private static final int MOST_REMEMBERED = 4_096;

  private final Map<UUID, Junction> streams = new ConcurrentHashMap<>();
  private final Set<UUID> over =
      Collections.newSetFromMap(Collections.synchronizedMap(BoundedMap.ofLatest(MOST_REMEMBERED)));
  private final JunctionResources resources;
  private final PipeAccounts accounts;

  /** Takes the streams on. */
  @FunctionalInterface
  public interface Streams {
    /** Takes a stream that begins, on its connection's event loop. */
    void begins(Channel inlet, StreamStart start);
  }

  public JunctionInlet(JunctionResources resources, PipeAccounts accounts) {
    this.resources = resources;
    this.accounts = accounts;
  }

  /** Streams that are put together here now. */
  public int running() {
    return streams.size();
  }

  /**
   * A pipe has come, on whose event loop this is called.
   *
   * @param hop over which it came
   * @param early what came behind the hop header; handed over
   * @param respondsToLoss whether the connection takes another congestion control once its losses
   *     call for that
   * @param settings of a stream that begins with this pipe
   * @param mayBegin whether one may begin; otherwise the pipe is for a stream that runs
   * @param begins takes such a stream
   */
  public void arrived(
      Channel channel,
      HopAddress hop,
      StreamStart start,
      ByteBuf early,
      boolean respondsToLoss,
      JunctionSettings settings,
      boolean mayBegin,
      Streams begins) {
    PipeAccount account = accounts.of(hop);
    channel
        .pipeline()
        .addLast(
            new PipePreamble(
                early,
                resources.counters(),
                (pipe, frame, rest) ->
                    introduced(
                        pipe,
                        account,
                        start,
                        frame,
                        rest,
                        respondsToLoss,
                        settings,
                        mayBegin,
                        begins)));
  }

  private void introduced(
      Channel channel,
      PipeAccount account,
      StreamStart start,
      Frame.PipeStart frame,
      ByteBuf early,
      boolean respondsToLoss,
      JunctionSettings settings,
      boolean mayBegin,
      Streams begins) {
    UUID id = start.id();
    Junction junction =
        streams.computeIfAbsent(
            id,
            _ ->
                frame.join() || !mayBegin || over.contains(id)
                    ? null
                    : created(channel.eventLoop(), start, settings));
    if (junction == null) {
      early.release();
      resources.counters().refused(Reason.UNKNOWN_STREAM);
      PipeEnd.refuse(channel, Reason.UNKNOWN_STREAM, "");
      return;
    }
    PipeEnd pipe =
        new PipeEnd(
            junction,
            frame.pipe(),
            Connection.of(channel),
            StreamPipes.accounting(junction, account),
            null,
            respondsToLoss);
    junction.execute(() -> join(junction, pipe, start, frame, begins));
    pipe.attach(early); // what it passes on comes behind its joining
  }

  private Junction created(EventLoop loop, StreamStart start, JunctionSettings settings) {
    return resources.junction(loop, settings, start, new Ending(start.id()));
  }

  /** Forgets a stream once it is over. */
  private final class Ending implements Junction.Observer {
    private final UUID stream;

    Ending(UUID stream) {
      this.stream = stream;
    }

    @Override
    public void ended(SegmentStream stream) {
      resources.counters().ended(stream);
    }

    @Override
    public void over() {
      over.add(stream);
      streams.remove(stream);
    }
  }

  private void join(
      Junction junction, PipeEnd pipe, StreamStart start, Frame.PipeStart frame, Streams begins) {
    JunctionConnection connection = junction.connection();
    boolean isNew = !connection.isRegistered() && connection.isOpen();
    if (isNew) {
      junction.loop().register(connection);
    }
    Reason obstacle = junction.obstacle(pipe.number());
    if (obstacle != null) {
      resources.counters().refused(obstacle);
      pipe.refuse(obstacle);
      if (isNew) {
        junction.reset(obstacle, ""); // nobody else has it
      }
      return;
    }
    junction.join(pipe);
    if (isNew) {
      begins.begins(
          connection,
          new StreamStart(start.id(), start.client(), start.ingress(), frame.awaited()));
    }
  }
}
