package io.cascade.relay.junction;

import io.cascade.relay.stream.Outlet;
import io.cascade.relay.stream.StreamSettings;
import io.cascade.relay.stream.StreamStart;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The outlet to a segment of pipes: every stream gets a {@link Junction}, whose connection it
 * writes to like any other.
 */
public final class JunctionOutlet implements Outlet {
  private final List<? extends Outlet> pipes;
  private final PipeSource source;
  private final PipeHistory history;
  private final boolean first;
  private final JunctionSettings settings;
  private final JunctionResources resources;

  /**
   * @param pipes outlets over which pipes begin, closed with this one
   * @param source the outlets for pipes of running streams, which may be those of a later part
   * @param first whether this relay is the chain's first, which waits for the destination's status
   */
  public JunctionOutlet(
      List<? extends Outlet> pipes,
      PipeSource source,
      boolean first,
      JunctionSettings settings,
      JunctionResources resources) {
    this.pipes = List.copyOf(pipes);
    this.source = source;
    this.first = first;
    this.settings = settings;
    this.resources = resources;
    this.history = new PipeHistory(pipes.size(), resources.nanoTime());
  }

  @Override
  public void open(
      StreamStart start, EventLoop loop, StreamSettings streamSettings, ServedStream stream) {
    new NearJunction(
            start,
            streamSettings,
            source,
            history,
            first,
            resources.counters(),
            stream,
            observer -> resources.junction(loop, settings, start, observer))
        .begin();
  }

  @Override
  public String target() {
    return pipes.size()
        + " pipes: "
        + pipes.stream().map(Outlet::target).collect(Collectors.joining(", "));
  }

  @Override
  public int ready() {
    return pipes.stream().mapToInt(Outlet::ready).sum();
  }

  @Override
  public void close() {
    pipes.forEach(Outlet::close);
  }
}
