package io.cascade.carriage.coded;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens streams to the next relay of a hop: a session on each event loop that wants one, over TCP
 * where UDP gets no answer; and plain TCP where the next relay takes no session.
 */
public final class CodedDialler implements AutoCloseable {
  private final Map<EventExecutor, LoopDialler> loops = new HashMap<>();

  /**
   * @param all event loops of this relay
   * @param dial makes TCP connections that carry a session where UDP is silent
   * @param recovered is told, on its event loop, when a session begins after connections were TCP's
   */
  public CodedDialler(
      CodedPeer peer,
      Iterable<EventExecutor> all,
      CodedSettings settings,
      TcpDial dial,
      Consumer<EventLoop> recovered) {
    UdpMemory memory = new UdpMemory(settings.times());
    for (EventExecutor each : all) {
      EventLoop loop = (EventLoop) each;
      loops.put(
          loop, new LoopDialler(loop, peer, settings, dial, memory, () -> recovered.accept(loop)));
    }
  }

  /**
   * Opens a connection on {@code loop}, on whose thread this is called.
   *
   * @param first of its pipeline
   * @param tcp opens one over TCP
   */
  public Future<Channel> connect(
      EventLoop loop, ChannelHandler first, Supplier<Future<Channel>> tcp) {
    LoopDialler dialler = loops.get(loop);
    if (dialler == null) {
      throw new IllegalStateException("an event loop of another relay");
    }
    return dialler.connect(first, tcp);
  }

  /** Why connections are TCP's, on some loop; null where none are. From any thread. */
  public @Nullable String fallenBack() {
    return loops.values().stream()
        .map(LoopDialler::fallenBack)
        .filter(java.util.Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /** Returns what the sessions do that stand now. From any thread. */
  public List<CodedCount> sessions() {
    return loops.values().stream()
        .map(LoopDialler::count)
        .filter(java.util.Objects::nonNull)
        .toList();
  }

  /** Opens nothing more; sessions end with their streams. From any thread. */
  @Override
  public void close() {
    loops.values().forEach(LoopDialler::close);
  }
}
