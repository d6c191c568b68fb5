package io.cascade.client.forward;

import io.cascade.carriage.blocking.BlockingConnection;
import io.cascade.carriage.coded.CodedDialler;
import io.cascade.carriage.coded.CodedPeer;
import io.cascade.carriage.coded.PathMemory;
import io.cascade.carriage.transport.Transport;
import io.cascade.client.transfer.CodedEnd;
import io.cascade.segments.SharedKey;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Straight to the far junction over a coded session, which all streams share, where TCP has seen
 * that the path loses packets. The session's key is derived from the junctions' shared key. Where
 * UDP does not come through there is none, and TCP carries alone.
 */
public final class CodedDialer implements PipeDialer {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final String JOINS =
      "the direct path loses packets: a coded session carries beside TCP";
  private static final String SILENT =
      "no coded session comes through on the direct path: TCP carries alone";

  private final DirectDialer beside;
  private final SharedKey key;
  private final Consumer<String> notes;
  private @Nullable MultiThreadIoEventLoopGroup loops;
  private @Nullable CodedDialler dialler;
  private @Nullable InetSocketAddress dialled;
  private String told = "";
  private boolean isClosed;

  /**
   * @param beside whose path it takes
   * @param notes is told when coded pipes begin to carry, and when they cannot
   */
  public CodedDialer(DirectDialer beside, SharedKey key, Consumer<String> notes) {
    this.beside = beside;
    this.key = key;
    this.notes = notes;
  }

  /** Whether this machine can carry coded sessions. */
  public static boolean isAvailable() {
    return Transport.EPOLL.available();
  }

  @Override
  public String name() {
    return "direct, coded";
  }

  @Override
  public boolean isSpare() {
    return true;
  }

  @Override
  public PipeChannel connect() throws IOException {
    InetSocketAddress at = beside.lossyPathTo();
    if (at == null) {
      throw new Unavailable("no packets are lost");
    }
    CompletableFuture<BlockingConnection> connected = new CompletableFuture<>();
    BlockingConnection made = new BlockingConnection(connected::complete);
    dial(at, made, connected);
    try {
      BlockingConnection stands = connected.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      tell(JOINS);
      return CodedPipe.dialled(stands);
    } catch (ExecutionException | TimeoutException e) {
      made.close();
      tell(SILENT);
      throw new Unavailable(SILENT);
    } catch (InterruptedException e) {
      made.close();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  private synchronized void dial(
      InetSocketAddress at,
      BlockingConnection made,
      CompletableFuture<BlockingConnection> connected)
      throws Unavailable {
    if (isClosed) {
      throw new Unavailable("this junction has ended");
    }
    MultiThreadIoEventLoopGroup group = loops;
    if (group == null) {
      group = new MultiThreadIoEventLoopGroup(1, Transport.EPOLL.newIoHandlerFactory());
      loops = group;
    }
    CodedDialler over = dialler;
    if (over == null || !at.equals(dialled)) {
      if (over != null) {
        over.close(); // Its streams go on until they end.
      }
      over =
          new CodedDialler(
              new CodedPeer(at, CodedKey.of(key), CodedKey.name(key), true),
              group,
              CodedEnd.settings(new PathMemory()),
              (on, _) -> on.newFailedFuture(new IOException("it has TCP beside it")),
              _ -> {});
      dialler = over;
      dialled = at;
    }
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

  private void tell(String line) {
    synchronized (this) {
      if (line.equals(told)) {
        return;
      }
      told = line;
    }
    notes.accept(line);
  }

  /** Ends the session with its pipes. */
  @Override
  public synchronized void ended() {
    isClosed = true;
    CodedDialler over = dialler;
    MultiThreadIoEventLoopGroup group = loops;
    if (over != null && group != null) {
      over.close();
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }
}
