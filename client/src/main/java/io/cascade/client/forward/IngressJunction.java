package io.cascade.client.forward;

import io.cascade.carriage.blocking.BlockingConnection;
import io.cascade.carriage.transport.Connection;
import io.cascade.segments.Octets16;
import io.cascade.segments.Reason;
import io.cascade.segments.SegmentStream;
import io.cascade.segments.SharedKey;
import io.netty.channel.Channel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The junction where streams begin: accepts connections on a port and carries each over pipes, one
 * by each dialler. A lost pipe is replaced for as long as its stream lasts.
 */
public final class IngressJunction implements AutoCloseable {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

  /** Interval between checks whether a pipe's route has changed. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  /**
   * Longest pause between attempts of a stream with at most one pipe, which stalls when that pipe
   * fails.
   */
  private static final Duration LONGEST_PAUSE_ALONE = Duration.ofSeconds(1);

  private final PipeHandshake handshake;
  private final SegmentStream.Settings settings;
  private final List<? extends PipeDialler> diallers;
  private final JunctionListener listener;
  private final boolean changesControl;

  /**
   * Number of diallers that are not spare. A stream that the far junction refuses over all of them
   * is reset.
   */
  private final long needed;

  private final Semaphore places;
  private final LiveJunctions live;
  private final Channel listening;

  private IngressJunction(
      InetSocketAddress address,
      SharedKey key,
      SegmentStream.Settings settings,
      List<? extends PipeDialler> diallers,
      int mostStreams,
      boolean changesControl,
      JunctionListener listener)
      throws IOException {
    this.handshake = new PipeHandshake(key);
    this.settings = settings;
    this.diallers = List.copyOf(diallers);
    this.needed = this.diallers.stream().filter(dialler -> !dialler.isSpare()).count();
    this.listener = listener;
    this.changesControl = changesControl;
    this.places = new Semaphore(mostStreams);
    this.live = new LiveJunctions(listener);
    this.listening = TcpEnds.listen(address, TcpEnds.LOCAL, () -> new AcceptHandler(this::take));
  }

  /**
   * Begins to listen.
   *
   * @param diallers of routes; every stream has a pipe over each, and two where one is named twice
   * @param changesControl whether connections to clients may switch to another congestion control
   *     than the host's default when they lose packets
   */
  public static IngressJunction open(
      InetSocketAddress address,
      SharedKey key,
      SegmentStream.Settings settings,
      List<? extends PipeDialler> diallers,
      int mostStreams,
      boolean changesControl,
      JunctionListener listener)
      throws IOException {
    return new IngressJunction(
        address, key, settings, diallers, mostStreams, changesControl, listener);
  }

  public InetSocketAddress address() {
    return (InetSocketAddress) listening.localAddress();
  }

  private void take(Connection client) {
    if (!places.tryAcquire()) {
      client.close();
      return;
    }
    try {
      ForwardedStream junction = new ForwardedStream(client.eventLoop(), settings);
      LossWatch.begin(client, changesControl);
      junction.attach(client);
      Thread.ofVirtual()
          .name("stream")
          .start(() -> live.run(junction, number -> begin(junction, number), places::release));
    } catch (RuntimeException | Error e) { // Memory may be exhausted: releases the place.
      places.release();
      throw e;
    }
  }

  private void begin(ForwardedStream junction, long number) {
    Octets16 stream = handshake.newStream();
    AtomicInteger refusals = new AtomicInteger();
    for (PipeDialler dialler : diallers) {
      Thread.ofVirtual()
          .name("pipe")
          .start(() -> keepPipe(junction, stream, number, dialler, refusals));
    }
  }

  /**
   * Maintains a pipe over a dialler's route for as long as the stream lasts.
   *
   * @param refusals diallers over whose routes the far junction has refused the stream
   */
  private void keepPipe(
      ForwardedStream junction,
      Octets16 stream,
      long number,
      PipeDialler dialler,
      AtomicInteger refusals) {
    boolean refusedBefore = false;
    long pause = FIRST_PAUSE.toNanos();
    String told = "";
    try {
      while (!junction.isOver()) {
        try {
          long route = dialler.route();
          PipeHandshake.Introduced pipe = introduced(junction, stream, dialler);
          dialler.worked();
          pause = FIRST_PAUSE.toNanos();
          told = "";
          boolean clean = carried(junction, stream, number, dialler, pipe, route);
          if (!clean && !junction.isOver()) {
            listener.note("stream %d lost its pipe %s".formatted(number, dialler.name()));
          }
        } catch (PipeDialler.Unavailable e) {
          // Reported already, once for all streams.
        } catch (IOException | RuntimeException | Error e) { // Memory may suffice the next time.
          if (e instanceof PipeHandshake.Refused answered && answered.isFromJunction()) {
            dialler.worked();
          } else {
            dialler.failed();
          }
          if (e instanceof PipeHandshake.Refused refused) {
            boolean first = !refusedBefore && !dialler.isSpare();
            refusedBefore = true;
            if (refused.reason() == Reason.UNKNOWN_STREAM) {
              junction.unknownThere("the far junction does not know it");
            } else if (first && refusals.incrementAndGet() == needed) {
              junction.refusedEverywhere(refused);
            }
          }
          String why = e instanceof Error ? e.toString() : String.valueOf(e.getMessage());
          if (!why.equals(told) && !junction.isOver()) {
            listener.note("stream %d has no pipe %s: %s".formatted(number, dialler.name(), why));
            told = why;
          }
        }
        if (!junction.awaitOver(Duration.ofNanos(jittered(pause)))) {
          Duration longest = junction.pipeCount() <= 1 ? LONGEST_PAUSE_ALONE : LONGEST_PAUSE;
          pause = Math.min(2 * pause, longest.toNanos());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Lets a pipe carry the stream until the pipe ends. If its dialler's route changes meanwhile, a
   * new pipe joins before the old one is withdrawn.
   *
   * @return whether the pipe, or its last successor, ended cleanly
   */
  private boolean carried(
      ForwardedStream junction,
      Octets16 stream,
      long number,
      PipeDialler dialler,
      PipeHandshake.Introduced first,
      long firstRoute)
      throws IOException, InterruptedException {
    CarriedPipe pipe = junction.join(first);
    long route = firstRoute;
    while (pipe != null && !pipe.awaitOver(LOOK)) {
      long now = dialler.route();
      if (now == route) {
        continue;
      }
      CarriedPipe successor;
      try {
        successor = junction.join(introduced(junction, stream, dialler));
      } catch (IOException e) {
        continue; // The old pipe continues to carry; the next check tries again.
      }
      if (successor != null) {
        route = now;
        junction.withdraw(pipe);
        pipe = successor;
        listener.note("stream %d moved to the pipe %s".formatted(number, dialler.name()));
      }
    }
    return pipe == null || pipe.endedCleanly();
  }

  private PipeHandshake.Introduced introduced(
      ForwardedStream junction, Octets16 stream, PipeDialler dialler) throws IOException {
    boolean join = junction.established();
    BlockingConnection connection = dialler.connect();
    try {
      return handshake.introduce(connection, stream, junction.takePipeNumber(), join);
    } catch (IOException | RuntimeException | Error e) {
      connection.reset();
      throw e;
    }
  }

  private static long jittered(long nanos) {
    return nanos / 2 + ThreadLocalRandom.current().nextLong(nanos / 2 + 1);
  }

  /** Resets the streams and notifies the far junction. */
  @Override
  public void close() {
    listening.close().awaitUninterruptibly();
    live.shutDown();
    diallers.forEach(PipeDialler::ended);
  }
}
