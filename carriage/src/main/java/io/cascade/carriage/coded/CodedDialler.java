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
 * Opens streams to the next relay of a hop. Each event loop that needs one gets a session, over TCP
 * if UDP gets no answer; if the next relay accepts no session, plain TCP is used.
 */
public final class CodedDialler implements AutoCloseable {
  private final Map<EventExecutor, LoopDialler> loops = new HashMap<>();

  /**
   * @param all event loops of this relay
   * @param dial opens TCP connections that carry a session while UDP is silent
   * @param recovered called on its event loop when a session begins after connections used plain
   *     TCP
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
   * Opens a connection on {@code loop}, whose thread must make this call.
   *
   * @param first handler of its pipeline
   * @param tcp opens a plain TCP connection
   */
  public Future<Channel> connect(
      EventLoop loop, ChannelHandler first, Supplier<Future<Channel>> tcp) {
    LoopDialler dialler = loops.get(loop);
    if (dialler == null) {
      throw new IllegalStateException("an event loop of another relay");
    }
    return dialler.connect(first, tcp);
  }

  /**
   * Reason for which some loop's connections use plain TCP; null if none do. May be called from any
   * thread.
   */
  public @Nullable String fallenBack() {
    return loops.values().stream()
        .map(LoopDialler::fallenBack)
        .filter(java.util.Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /** Returns the counts of the established sessions. May be called from any thread. */
  public List<CodedCount> sessions() {
    return loops.values().stream()
        .map(LoopDialler::count)
        .filter(java.util.Objects::nonNull)
        .toList();
  }

  /** Opens no more connections; sessions end with their streams. May be called from any thread. */
  @Override
  public void close() {
    loops.values().forEach(LoopDialler::close);
  }
}
