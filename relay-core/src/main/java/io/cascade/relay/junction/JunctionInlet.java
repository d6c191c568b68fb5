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
 * The end of a segment's pipes: reassembles streams from their pipes, which it groups by stream
 * identifier. The event loop of a stream's first pipe runs the stream from then on. Called on the
 * pipes' event loops. Exists as long as the chain, whatever part is installed.
 */
public final class JunctionInlet {
  /** Most ended streams that are remembered, so that a late pipe does not open them again. */
  private static final int MOST_REMEMBERED = 4_096;

  private final Map<UUID, Junction> streams = new ConcurrentHashMap<>();
  private final Set<UUID> over =
      Collections.newSetFromMap(Collections.synchronizedMap(BoundedMap.ofLatest(MOST_REMEMBERED)));
  private final JunctionResources resources;
  private final PipeAccounts accounts;

  /** Receives the streams. */
  @FunctionalInterface
  public interface Streams {
    /** Accepts a stream that begins. Called on its connection's event loop. */
    void begins(Channel inlet, StreamStart start);
  }

  public JunctionInlet(JunctionResources resources, PipeAccounts accounts) {
    this.resources = resources;
    this.accounts = accounts;
  }

  /** Number of streams that are being reassembled. */
  public int running() {
    return streams.size();
  }

  /**
   * Accepts a pipe. Called on its event loop.
   *
   * @param hop over which it arrived
   * @param early bytes that followed the hop header; handed over
   * @param respondsToLoss whether the connection may change its congestion control in response to
   *     losses
   * @param settings of a stream that begins with this pipe
   * @param mayBegin whether one may begin; otherwise the pipe must be of a running stream
   * @param begins accepts such a stream
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
    pipe.attach(early); // its bytes are passed on after it has joined
  }

  private Junction created(EventLoop loop, StreamStart start, JunctionSettings settings) {
    return resources.junction(loop, settings, start, new Ending(start.id()));
  }

  /** Forgets a stream once it has ended. */
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
        junction.reset(obstacle, ""); // not shared yet
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
