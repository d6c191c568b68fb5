package io.cascade.client.forward;

import io.cascade.api.HostPort;
import io.cascade.carriage.blocking.BlockingConnection;
import io.cascade.carriage.junction.Junction;
import io.cascade.carriage.transport.Connection;
import io.cascade.segments.Frame;
import io.cascade.segments.Octets16;
import io.cascade.segments.Reason;
import io.cascade.segments.SegmentStream;
import io.cascade.segments.SharedKey;
import io.netty.channel.Channel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The junction from which streams continue to their destination: accepts pipes on a port,
 * reassembles each stream from its pipes, and connects it to the destination.
 */
public final class FarJunction implements AutoCloseable {
  /** Most connections that have not authenticated yet. */
  private static final int MOST_STRANGERS = 256;

  private final PipeHandshake handshake;
  private final SegmentStream.Settings settings;
  private final HostPort destination;
  private final int mostStreams;
  private final JunctionListener listener;
  private final boolean changesControl;
  private final Map<Octets16, ForwardedStream> streams = new HashMap<>();
  private final Semaphore strangers = new Semaphore(MOST_STRANGERS);
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong refusalToldNanos = new AtomicLong(System.nanoTime());
  private final LiveJunctions live;
  private final Channel listening;
  private final CodedArrivals coded;

  private FarJunction(
      InetSocketAddress address,
      SharedKey key,
      SegmentStream.Settings settings,
      HostPort destination,
      int mostStreams,
      boolean changesControl,
      JunctionListener listener)
      throws IOException {
    this.handshake = new PipeHandshake(key);
    this.settings = settings;
    this.destination = destination;
    this.mostStreams = mostStreams;
    this.listener = listener;
    this.changesControl = changesControl;
    this.live = new LiveJunctions(listener);
    this.listening = TcpEnds.listen(address, TcpEnds.PIPES, () -> new AcceptHandler(this::takeTcp));
    this.coded = CodedArrivals.begin(address(), key, this::take, listener::note);
  }

  /**
   * Begins to listen for pipes.
   *
   * @param changesControl whether pipes and connections to the destination may switch to another
   *     congestion control than the host's default when they lose packets
   */
  public static FarJunction open(
      InetSocketAddress address,
      SharedKey key,
      SegmentStream.Settings settings,
      HostPort destination,
      int mostStreams,
      boolean changesControl,
      JunctionListener listener)
      throws IOException {
    return new FarJunction(
        address, key, settings, destination, mostStreams, changesControl, listener);
  }

  public InetSocketAddress address() {
    return (InetSocketAddress) listening.localAddress();
  }

  /** Pipe handshakes that were refused. */
  public long refused() {
    return refused.get();
  }

  private void takeTcp(Connection connection) {
    LossWatch.begin(connection, changesControl);
    BlockingConnection pipe = BlockingConnection.of(connection);
    Thread.ofVirtual().name("accepted").start(() -> take(pipe));
  }

  private void take(BlockingConnection connection) {
    try {
      introduce(connection);
    } catch (RuntimeException | Error e) { // Memory may be exhausted: only this connection fails.
      connection.reset();
      tellReset(e);
    }
  }

  private void tellReset(Throwable why) {
    try {
      listener.note("reset a connection: " + why);
    } catch (RuntimeException | Error e) {
      // There is no memory to report it either.
    }
  }

  private void introduce(BlockingConnection connection) {
    if (!strangers.tryAcquire()) {
      connection.reset();
      return;
    }
    PipeHandshake.Request request;
    ForwardedStream junction;
    try {
      request = handshake.ask(connection);
      junction = admitted(request);
      handshake.accept(request);
    } catch (PipeHandshake.Refused e) {
      tellRefusal(e);
      connection.close();
      return;
    } catch (IOException e) {
      connection.reset();
      return;
    } finally {
      strangers.release();
    }
    carry(junction, request);
  }

  /** Logs a refusal, at most once a second: any host can connect. */
  private void tellRefusal(PipeHandshake.Refused refusal) {
    long now = System.nanoTime();
    long before = refusalToldNanos.get();
    if (refused.incrementAndGet() == 1
        || (now - before > 1_000_000_000 && refusalToldNanos.compareAndSet(before, now))) {
      listener.note("refused a pipe, %d in all: %s".formatted(refused.get(), refusal.getMessage()));
    }
  }

  private static void carry(ForwardedStream junction, PipeHandshake.Request request) {
    try {
      CarriedPipe _ =
          junction.join(
              new PipeHandshake.Introduced(
                  request.introduction().pipe(),
                  request.connection(),
                  request.arrived(),
                  request.roundTripNanos()));
    } catch (IOException | RejectedExecutionException e) {
      // RejectedExecutionException: the session of the connection has just ended.
      request.connection().reset();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private ForwardedStream admitted(PipeHandshake.Request request) throws IOException {
    Frame.Introduction asked = request.introduction();
    Reason refusal;
    synchronized (streams) {
      ForwardedStream known = streams.get(asked.stream());
      if (known != null) {
        if (known.pipeCount() < Junction.MOST_PIPES) {
          return known;
        }
        refusal = Reason.CAPACITY;
      } else if (asked.join()) {
        refusal = Reason.UNKNOWN_STREAM;
      } else if (streams.size() >= mostStreams) {
        refusal = Reason.CAPACITY;
      } else {
        ForwardedStream created = new ForwardedStream(TcpEnds.nextLoop(), settings);
        streams.put(asked.stream(), created);
        try {
          Thread.ofVirtual()
              .name("stream")
              .start(() -> live.run(created, _ -> attach(created), () -> forget(asked.stream())));
        } catch (RuntimeException | Error e) { // Memory may be exhausted: releases the place.
          streams.remove(asked.stream());
          throw e;
        }
        return created;
      }
    }
    throw handshake.refuse(request.connection(), refusal, "");
  }

  private void attach(ForwardedStream junction) {
    Connection connection;
    try {
      connection = TcpEnds.connect(destination, TcpEnds.LOCAL, junction.loop());
    } catch (IOException e) {
      junction.reset(Reason.DESTINATION_UNREACHABLE, String.valueOf(e.getMessage()));
      return;
    }
    LossWatch.begin(connection, changesControl);
    junction.attach(connection);
  }

  private void forget(Octets16 stream) {
    synchronized (streams) {
      streams.remove(stream);
    }
  }

  /** Resets the streams and notifies the ingress junctions. */
  @Override
  public void close() {
    listening.close().awaitUninterruptibly();
    live.shutDown();
    coded.close();
  }
}
