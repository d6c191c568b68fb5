package io.cascade.client.transfer;

import io.cascade.api.HostPort;
import io.cascade.carriage.blocking.BlockingConnection;
import io.cascade.carriage.coded.CodedDialler;
import io.cascade.carriage.coded.CodedPeer;
import io.cascade.carriage.coded.PathMemory;
import io.cascade.carriage.transport.Transport;
import io.cascade.coding.crypto.Handshakes;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Dials coded sessions to a receiver, with no relay and no orchestrator: over TCP it tells the
 * receiver of the session ({@link CodedInvitation}), sealed where files are; then the session
 * begins over UDP. Where UDP does not come through there is none; the transfer has its TCP
 * connections.
 */
public final class CodedDial implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final long NOTING_MILLIS = 100;

  /** What a relay's log tells of its hops is nothing that a sender has to know. */
  private static final Logger CARRIAGE = Logger.getLogger("io.cascade.carriage");

  static {
    CARRIAGE.setLevel(Level.WARNING);
  }

  private final HostPort to;
  private final ReceiverAccess access;
  private final PathMemory paths;
  private @Nullable MultiThreadIoEventLoopGroup loops;
  private @Nullable CodedDialler dialler;
  private @Nullable BlockingConnection latest;
  private boolean isClosed;

  /**
   * @param access by which the receiver is told
   * @param paths what is known of the path to the receiver; has what the sessions learned once this
   *     is closed
   */
  public CodedDial(HostPort to, ReceiverAccess access, PathMemory paths) {
    this.to = to;
    this.access = access;
    this.paths = paths;
  }

  /** Whether this machine can carry coded sessions. */
  public static boolean isAvailable() {
    return Transport.EPOLL.available();
  }

  /**
   * Dials a session; waits until it stands.
   *
   * @return empty where the receiver takes none, or UDP does not come through
   */
  public Optional<ByteConnection> dial() throws InterruptedException {
    warmUpOnce();
    CodedInvitation invitation = CodedInvitation.random();
    int port;
    InetAddress host;
    try (TcpConnection telling = TcpConnection.of(Connections.connect(to, PATIENCE));
        StallGuard _ = new StallGuard(telling, PATIENCE)) {
      host = telling.address();
      port = invitation.send(access.over(telling));
    } catch (IOException e) {
      return Optional.empty();
    }
    return port == 0 ? Optional.empty() : session(new InetSocketAddress(host, port), 0, invitation);
  }

  /** Makes connections to the receiver, through a relay. */
  @FunctionalInterface
  public interface Telling {
    /** Connects; waits for it. */
    TcpConnection connect() throws TransferFailed;
  }

  /**
   * Dials a session to a receiver that a relay joins with this end, directly: both ends tell each
   * other where they may be reached, and look for a path between them, some seconds at most.
   *
   * @param by tells this end's address
   * @param telling by which the other end is told
   * @return empty where there is no such path, or the receiver takes no session
   */
  public Optional<ByteConnection> dial(Observer by, Telling telling) throws InterruptedException {
    warmUpOnce();
    CodedInvitation invitation = CodedInvitation.random();
    try (DirectPort port = DirectPort.open()) {
      Candidates ours = port.paths().candidates(by, port.number());
      Candidates theirs;
      try (TcpConnection connection = telling.connect();
          StallGuard _ = new StallGuard(connection, PATIENCE)) {
        theirs = invitation.exchange(access.over(connection), ours);
      }
      if (theirs.addresses().isEmpty()) {
        return Optional.empty();
      }
      Optional<InetSocketAddress> at = port.paths().search(invitation, true, theirs);
      return at.isEmpty() ? Optional.empty() : session(at.get(), port.number(), invitation);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** While the invitation travels: the first handshake of a process takes long to compute. */
  private synchronized void warmUpOnce() {
    if (loops == null && !isClosed) {
      loops = new MultiThreadIoEventLoopGroup(1, Transport.EPOLL.newIoHandlerFactory());
      Thread.ofPlatform().daemon().name("coded-warm-up").start(Handshakes::warmUp);
    }
  }

  private Optional<ByteConnection> session(
      InetSocketAddress at, int localPort, CodedInvitation invitation) throws InterruptedException {
    CompletableFuture<BlockingConnection> connected = new CompletableFuture<>();
    BlockingConnection made = new BlockingConnection(connected::complete);
    CodedDialler over;
    EventLoop loop;
    synchronized (this) {
      MultiThreadIoEventLoopGroup group = loops;
      if (isClosed || group == null) {
        return Optional.empty();
      }
      closeSession();
      loop = group.next();
      over =
          new CodedDialler(
              new CodedPeer(at, invitation.key(), invitation.nameBytes(), true, localPort),
              group,
              CodedEnd.settings(paths),
              (on, _) -> on.newFailedFuture(new IOException("it has TCP beside it")),
              _ -> {});
      dialler = over;
      latest = made;
    }
    loop.execute(() -> {
      Future<Channel> dialled =
          over.connect(
              loop, made.handler(), () -> loop.newFailedFuture(new IOException("no answer")));
      dialled.addListener(_ -> {
        if (!dialled.isSuccess()) {
          connected.completeExceptionally(dialled.cause());
        }
      });
    });
    try {
      return Optional.of(new CodedEnd(connected.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)));
    } catch (ExecutionException | TimeoutException e) {
      made.close();
      return Optional.empty();
    }
  }

  private void closeSession() {
    BlockingConnection connection = latest;
    if (connection != null) {
      connection.close(); // Before its event loop ends.
    }
    CodedDialler over = dialler;
    if (over != null) {
      over.close();
    }
  }

  /** Ends the session with its streams. */
  @Override
  public synchronized void close() {
    isClosed = true;
    closeSession();
    MultiThreadIoEventLoopGroup group = loops;
    if (group != null) {
      group.submit(() -> {}).awaitUninterruptibly(NOTING_MILLIS); // The session notes its path.
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }
}
