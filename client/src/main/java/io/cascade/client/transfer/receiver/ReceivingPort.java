package io.cascade.client.transfer.receiver;

import io.cascade.api.HostPort;
import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.TcpConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Passes every connection to a {@link ConnectionReceiver} on a virtual thread of its own, so that a
 * silent peer delays no other one. Connections are accepted at a listening port, or passed in by
 * {@link #begin}.
 */
public final class ReceivingPort implements AutoCloseable {
  private static final int MOST_CONNECTIONS = 256;

  /** Time for connections to end, so that none writes after the close. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  /** Null where it does not listen. */
  private final @Nullable ServerSocketChannel server;

  private final ConnectionReceiver receiver;
  private final AtomicLong places;
  private final AtomicLong ignored = new AtomicLong();

  /** Open connections, each with the thread that receives from it. */
  private final Map<ByteConnection, Thread> open = new ConcurrentHashMap<>();

  private final BlockingQueue<Outcome.Ended> outcomes = new LinkedBlockingQueue<>();
  private volatile Consumer<Outcome.Refused> refusals = _ -> {};

  private ReceivingPort(
      ServerSocketChannel server, long places, Function<HostPort, ConnectionReceiver> receiver)
      throws IOException {
    this.server = server;
    this.places = new AtomicLong(places);
    this.receiver = receiver.apply(address(server));
  }

  private ReceivingPort(long places, ConnectionReceiver receiver) {
    this.server = null;
    this.places = new AtomicLong(places);
    this.receiver = receiver;
  }

  /**
   * Creates one that does not listen.
   *
   * @param places how many transfers are admitted in all
   */
  public static ReceivingPort withoutPort(long places, ConnectionReceiver receiver) {
    return new ReceivingPort(places, receiver);
  }

  /**
   * @param address where to listen; port 0 for any free port
   * @param places how many transfers are admitted in all
   */
  public static ReceivingPort open(
      InetSocketAddress address, long places, ConnectionReceiver receiver) throws IOException {
    return open(address, places, (HostPort _) -> receiver);
  }

  /**
   * @param address where to listen; port 0 for any free port
   * @param places how many transfers are admitted in all
   * @param receiver given the address at which it listens, before connections are accepted
   */
  public static ReceivingPort open(
      InetSocketAddress address, long places, Function<HostPort, ConnectionReceiver> receiver)
      throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open();
    ReceivingPort port;
    try {
      server.bind(address);
      port = new ReceivingPort(server, places, receiver);
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
    Thread.ofVirtual().name("receiving-port").start(() -> port.accept(server));
    return port;
  }

  /**
   * Address at which it listens; 0.0.0.0 for every address of the host.
   *
   * @throws IllegalStateException where it does not listen
   */
  public HostPort address() throws IOException {
    ServerSocketChannel listening = server;
    if (listening == null) {
      throw new IllegalStateException("it listens nowhere");
    }
    return address(listening);
  }

  private static HostPort address(ServerSocketChannel server) throws IOException {
    InetSocketAddress bound = (InetSocketAddress) server.getLocalAddress();
    boolean everywhere = bound.getAddress().isAnyLocalAddress();
    return new HostPort(
        everywhere ? "0.0.0.0" : bound.getAddress().getHostAddress(), bound.getPort());
  }

  /** Waits for the next transfer that arrived or failed. */
  public Outcome.Ended next() throws InterruptedException {
    return outcomes.take();
  }

  /**
   * Reports senders that are refused from now on.
   *
   * @param told called on threads of connections, as often as peers try: must not block
   */
  public void tellRefusals(Consumer<Outcome.Refused> told) {
    refusals = told;
  }

  /** Connections so far that carried no transfer. */
  public long ignored() {
    return ignored.get();
  }

  private void accept(ServerSocketChannel server) {
    while (server.isOpen()) {
      try {
        begin(TcpConnection.accepted(server.accept()), receiver);
      } catch (IOException | RuntimeException | Error e) {
        if (server.isOpen()) {
          // Out of descriptors or memory: retried after some were released.
          LockSupport.parkNanos(10_000_000);
        }
      }
    }
  }

  /** Receives from a connection as if it had been accepted at the port. */
  public void begin(ByteConnection connection) {
    begin(connection, receiver);
  }

  /**
   * Receives from a connection that was not accepted at the port.
   *
   * @param by the receiver that it is for
   */
  public void begin(ByteConnection connection, ConnectionReceiver by) {
    if (open.size() >= MOST_CONNECTIONS) {
      ignored.incrementAndGet();
      connection.reset();
      return;
    }
    try {
      Thread receiving =
          Thread.ofVirtual().name("receiver").unstarted(() -> receive(connection, by));
      open.put(connection, receiving);
      receiving.start();
    } catch (RuntimeException | Error e) {
      open.remove(connection);
      connection.reset();
      throw e;
    }
  }

  private void receive(ByteConnection connection, ConnectionReceiver by) {
    Outcome outcome;
    try (connection) {
      outcome = by.receive(connection, () -> places.getAndDecrement() > 0);
    } catch (InterruptedException | IOException e) {
      outcome = new Outcome.Ignored();
    } catch (RuntimeException | Error e) { // Only this connection fails.
      outcome = new Outcome.Broken("%s (from %s)".formatted(e, connection.peer()));
    } finally {
      open.remove(connection);
    }
    switch (outcome) {
      case Outcome.Ignored _ -> ignored.incrementAndGet();
      case Outcome.Refused refused -> {
        ignored.incrementAndGet();
        refusals.accept(refused);
      }
      case Outcome.Joined _ -> {} // Another connection reports the transfer's end.
      case Outcome.Tested _ -> {}
      case Outcome.Invited _ -> {} // The session's connections report more.
      case Outcome.Ended ended -> outcomes.add(ended);
    }
  }

  @Override
  public void close() throws IOException {
    if (server != null) {
      server.close();
    }
    Map<ByteConnection, Thread> last = Map.copyOf(open);
    for (ByteConnection connection : last.keySet()) {
      connection.close();
    }
    long deadline = System.nanoTime() + LAST_WORDS.toNanos();
    try {
      for (Thread receiving : last.values()) {
        if (!receiving.equals(Thread.currentThread())) {
          receiving.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
