package io.cascade.client.transfer.coded;

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
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Dials coded sessions over UDP, one at a time, on an event loop of its own. TCP runs beside them:
 * if UDP is blocked there is no session. Thread-safe.
 */
public final class SessionDial implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final long NOTING_MILLIS = 100;

  /**
   * Discards the log of hops, which is meant for relays. A separate class, because the first logger
   * of a process takes longer than a small file: it searches all jars.
   */
  private static final class CarriageLog {
    private static final Logger QUIET = Logger.getLogger("io.cascade.carriage");

    private static void quieten() {
      QUIET.setLevel(Level.WARNING);
    }
  }

  private final PathMemory paths;
  private @Nullable MultiThreadIoEventLoopGroup loops;
  private @Nullable CodedDialler dialler;
  private @Nullable CodedPeer dialled;
  private @Nullable BlockingConnection latest;
  private boolean isClosed;

  /**
   * @param paths what is known of paths to peers; updated with what the sessions learned once this
   *     is closed
   */
  public SessionDial(PathMemory paths) {
    this.paths = paths;
  }

  /** Whether this machine supports coded sessions. The first call loads a native library. */
  public static boolean isAvailable() {
    return Transport.EPOLL.available();
  }

  /** Prepares on another thread: the first handshake of a process takes long to compute. */
  public synchronized void warmUpOnce() {
    if (loops == null && !isClosed) {
      CarriageLog.quieten();
      loops = new MultiThreadIoEventLoopGroup(1, Transport.EPOLL.newIoHandlerFactory());
      Thread.ofPlatform().daemon().name("coded-warm-up").start(Handshakes::warmUp);
    }
  }

  /**
   * Opens a stream of the session to a peer, and dials the session first where there is none.
   * Blocks until it is established. The session to another peer ends when its streams have ended.
   *
   * @throws IOException where UDP is blocked, or the peer accepts no session
   */
  public BlockingConnection connect(CodedPeer peer) throws IOException, InterruptedException {
    CompletableFuture<BlockingConnection> connected = new CompletableFuture<>();
    BlockingConnection made = new BlockingConnection(connected::complete);
    begin(peer, made, connected);
    try {
      return connected.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      made.close();
      throw new IOException("no coded session can be established", e);
    } catch (InterruptedException e) {
      made.close();
      throw e;
    }
  }

  private synchronized void begin(
      CodedPeer peer, BlockingConnection made, CompletableFuture<BlockingConnection> connected)
      throws IOException {
    warmUpOnce();
    MultiThreadIoEventLoopGroup group = loops;
    if (isClosed || group == null) {
      throw new IOException("no more sessions are dialled");
    }
    CodedDialler over = dialler;
    if (over == null || !isDialled(peer)) {
      if (over != null) {
        over.close(); // Its streams continue until they end.
      }
      over =
          new CodedDialler(
              peer,
              group,
              CodedEnd.settings(paths),
              (on, _) -> on.newFailedFuture(new IOException("TCP is used beside it")),
              _ -> {});
      dialler = over;
      dialled = peer;
    }
    latest = made;
    CodedDialler used = over;
    EventLoop loop = group.next();
    loop.execute(() -> {
      Future<Channel> opened =
          used.connect(
              loop, made.handler(), () -> loop.newFailedFuture(new IOException("no answer")));
      opened.addListener(_ -> {
        if (!opened.isSuccess()) {
          connected.completeExceptionally(opened.cause());
        }
      });
    });
  }

  private boolean isDialled(CodedPeer peer) {
    CodedPeer before = dialled;
    return before != null
        && before.address().equals(peer.address())
        && Arrays.equals(before.name(), peer.name())
        && Arrays.equals(before.key(), peer.key());
  }

  /** Closes the session and its streams. Idempotent. */
  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    BlockingConnection connection = latest;
    if (connection != null) {
      connection.close(); // Before its event loop ends.
    }
    CodedDialler over = dialler;
    if (over != null) {
      over.close();
    }
    MultiThreadIoEventLoopGroup group = loops;
    if (group != null) {
      group.submit(() -> {}).awaitUninterruptibly(NOTING_MILLIS); // The session records its path.
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }
}
