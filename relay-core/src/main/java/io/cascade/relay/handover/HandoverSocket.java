package io.cascade.relay.handover;

import io.cascade.command.FileKind;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.DomainSocketReadMode;
import io.netty.channel.unix.FileDescriptor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection between two processes of one user over a Unix socket. It carries lines of text and
 * open sockets (SCM_RIGHTS, unix(7)). Calls block, so they are made from threads of their own.
 */
public final class HandoverSocket implements AutoCloseable {
  /** Sockets sent at once: each waits as a message in the receiver's queue, which is short. */
  private static final int SOCKETS_AT_ONCE = 32;

  private static final String NEXT_SOCKETS = "sockets";
  private static final int LONGEST_LINE = 64 << 20;

  private final EpollDomainSocketChannel channel;
  private final BlockingQueue<Object> received = new LinkedBlockingQueue<>();

  private HandoverSocket(EpollDomainSocketChannel channel) {
    this.channel = channel;
    channel.pipeline().addLast(new Receiver());
  }

  /**
   * Connects to the relay that listens at a path.
   *
   * @return null if no process listens
   * @throws IOException if a process of another user listens: the sockets and state must not be
   *     sent to it
   */
  public static @Nullable HandoverSocket connect(Path path, EventLoopGroup loops)
      throws IOException {
    return connect(path, loops, thisUser());
  }

  /**
   * @param user that must own the listening process
   */
  static @Nullable HandoverSocket connect(Path path, EventLoopGroup loops, Object user)
      throws IOException {
    List<HandoverSocket> made = new ArrayList<>();
    ChannelFuture connected =
        new Bootstrap()
            .group(loops)
            .channel(EpollDomainSocketChannel.class)
            .handler(initializer(made::add))
            .connect(new DomainSocketAddress(path.toString()))
            .awaitUninterruptibly();
    if (!connected.isSuccess()) {
      return null;
    }
    HandoverSocket socket = made.getFirst();
    if (!user.equals(uid(socket.channel))) {
      socket.close();
      throw new IOException(
          "hand-over socket " + path + ": a process of another user listens there");
    }
    return socket;
  }

  private static Object thisUser() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid");
  }

  /**
   * Listens for successors and replaces a previous listener. Accepts only processes of the same
   * user.
   *
   * @throws IOException if the path cannot be used, or holds something other than a socket
   */
  public static Channel listen(Path path, EventLoopGroup loops, Consumer<HandoverSocket> successor)
      throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    FileKind.removeSocket(path); // of the previous listener
    Object owner = thisUser();
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops)
            .channel(EpollServerDomainSocketChannel.class)
            .childHandler(
                initializer(socket -> {
                  if (owner.equals(uid(socket.channel))) {
                    Thread.ofPlatform().name("hand-over").start(() -> successor.accept(socket));
                  } else {
                    socket.close();
                  }
                }))
            .bind(new DomainSocketAddress(path.toString()))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException("hand-over socket " + path + ": " + bound.cause().getMessage());
    }
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
    return bound.channel();
  }

  /**
   * Sends a line. Returns once the kernel has it, since an event loop that stops discards pending
   * writes.
   */
  public void send(String line) {
    channel
        .writeAndFlush(ByteBufUtil.writeUtf8(channel.alloc(), line + "\n"))
        .awaitUninterruptibly();
  }

  /**
   * Reads the next line.
   *
   * @throws IOException if the other end has closed the connection, or sends nothing for too long
   */
  public String read(Duration patience) throws IOException {
    if (next(patience) instanceof String line) {
      return line;
    }
    throw new IOException("a socket arrived instead of a line");
  }

  /** Sends open sockets, some at a time, as the other end requests them. */
  public void sendSockets(List<Integer> descriptors, Duration patience) throws IOException {
    for (int from = 0; from < descriptors.size(); from += SOCKETS_AT_ONCE) {
      String asked = read(patience);
      if (!asked.equals(NEXT_SOCKETS)) {
        throw new IOException("'" + asked + "' (expected: " + NEXT_SOCKETS + ")");
      }
      descriptors.stream()
          .skip(from)
          .limit(SOCKETS_AT_ONCE)
          .forEach(descriptor -> channel.write(new FileDescriptor(descriptor)));
      channel.flush();
    }
  }

  /** Receives open sockets; this process must close them. */
  public List<Integer> readSockets(int count, Duration patience) throws IOException {
    readMode(DomainSocketReadMode.FILE_DESCRIPTORS);
    List<Integer> descriptors = new ArrayList<>();
    while (descriptors.size() < count) {
      if (descriptors.size() % SOCKETS_AT_ONCE == 0) {
        send(NEXT_SOCKETS);
      }
      if (next(patience) instanceof FileDescriptor descriptor) {
        descriptors.add(descriptor.intValue());
      } else {
        throw new IOException("a line arrived instead of a socket");
      }
    }
    readMode(DomainSocketReadMode.BYTES);
    return descriptors;
  }

  /** Returns the process number of the other end. */
  public long peer() throws IOException {
    return channel.peerCredentials().pid();
  }

  /** Closes the connection, which the other end notices. */
  @Override
  public void close() {
    channel.close();
  }

  private Object next(Duration patience) throws IOException {
    try {
      Object next = received.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
      if (next == null) {
        throw new IOException("no answer for " + patience.toSeconds() + " s");
      }
      if (next instanceof End) {
        received.add(next);
        throw new IOException("the other relay closed the connection");
      }
      return next;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Changes the read mode on the event loop, so that it applies to the next read. */
  private void readMode(DomainSocketReadMode mode) {
    channel.eventLoop().submit(() -> channel.config().setReadMode(mode)).awaitUninterruptibly();
  }

  private static @Nullable Object uid(EpollDomainSocketChannel channel) {
    try {
      return channel.peerCredentials().uid();
    } catch (IOException e) {
      return null;
    }
  }

  private static ChannelInitializer<EpollDomainSocketChannel> initializer(
      Consumer<HandoverSocket> made) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(EpollDomainSocketChannel channel) {
        made.accept(new HandoverSocket(channel));
      }
    };
  }

  /** Marks the end of what is received. */
  private record End() {}

  private final class Receiver extends ChannelInboundHandlerAdapter {
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof ByteBuf bytes) {
        try {
          bytes.forEachByte(value -> {
            append(value);
            return true;
          });
        } finally {
          bytes.release();
        }
      } else {
        received.add(message);
      }
    }

    private void append(byte value) {
      if (value == '\n') {
        received.add(line.toString(StandardCharsets.UTF_8));
        line.reset();
      } else if (line.size() < LONGEST_LINE) {
        line.write(value);
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      received.add(new End());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close();
    }
  }
}
