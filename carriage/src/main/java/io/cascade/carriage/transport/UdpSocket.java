package io.cascade.carriage.transport;

import io.cascade.carriage.kernel.SystemCalls;
import io.netty.channel.ChannelException;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.Errors;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.Socket;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A UDP socket on an event loop, for high rates of datagrams to and from one peer: sent and
 * received in batches, with segmentation by the kernel and the kernel's receive times. Netty's own
 * channel loses the size of segments that were received together, and has no receive times.
 *
 * <p>Linux only. Used on its event loop once it is registered.
 */
public final class UdpSocket implements EpollIoHandle, DatagramCarrier {
  private static final Logger LOG = Logger.getLogger(UdpSocket.class.getName());
  private static final int BUFFER_BYTES = 4 << 20;
  private static final int CALLS_A_TURN = 4;
  private static final int EAGAIN = 11;
  private static final int ECONNREFUSED = 111;
  private static final int IN = EpollIoOps.EPOLLIN.value();
  private static final int OUT = EpollIoOps.EPOLLOUT.value();

  /** A bit that is always set: without any, Netty would remove the socket. */
  private static final int NOTHING = EpollIoOps.EPOLLET.value();

  private final Socket socket;
  private final boolean hasTimes;
  private final DatagramBatch batch;
  private long unreachable;
  private @Nullable PeerAddress from;
  private @Nullable IoRegistration registration;
  private @Nullable Events events;
  private boolean waitsForRoom;
  private boolean waitsForDatagrams = true;

  /** Receives the socket's events, on the event loop. */
  public interface Events {
    /**
     * A datagram has arrived.
     *
     * @param datagram valid until the call returns
     * @param receivedNanos by the monotonic clock, when the kernel received it
     */
    void datagram(ByteBuffer datagram, long receivedNanos);

    /** There are datagrams for {@link #receive}, or an error that does not end the socket. */
    void readable();

    /** There is room again, after {@link #flush} found none. */
    void writable();
  }

  private UdpSocket(Socket socket) {
    this.socket = socket;
    this.hasTimes = option(DatagramLayout.SOL_SOCKET, DatagramLayout.SO_TIMESTAMPNS, 1);
    option(DatagramLayout.SOL_UDP, DatagramLayout.UDP_GRO, 1);
    // No fragmentation, and ICMP's reports on the path are not trusted (RFC 8899 §4.1).
    option(DatagramLayout.SOL_IP, DatagramLayout.IP_MTU_DISCOVER, DatagramLayout.PMTUDISC_PROBE);
    option(
        DatagramLayout.SOL_IPV6, DatagramLayout.IPV6_MTU_DISCOVER, DatagramLayout.PMTUDISC_PROBE);
    // 0 changes nothing, and fails if the kernel does not support it.
    this.batch = new DatagramBatch(option(DatagramLayout.SOL_UDP, DatagramLayout.UDP_SEGMENT, 0));
  }

  /**
   * Opens a socket.
   *
   * @throws IOException if the address is not available, or the system lacks a requirement
   */
  public static UdpSocket bind(InetSocketAddress at) throws IOException {
    return open(at, null);
  }

  /**
   * Opens a socket for one peer on a port that other sockets of this relay share. It accepts only
   * what that peer sends: another peer's handshake, taken for this one's, would replace its
   * session.
   *
   * @throws IOException if the address is not available, or the system lacks a requirement
   */
  public static UdpSocket bindShared(InetSocketAddress at, InetSocketAddress peer)
      throws IOException {
    return open(at, peer);
  }

  private static UdpSocket open(InetSocketAddress at, @Nullable InetSocketAddress peer)
      throws IOException {
    String missing = SystemCalls.missing();
    if (missing != null || !Epoll.isAvailable()) {
      throw new IOException("coded hops need Linux and epoll");
    }
    Socket socket = Socket.newSocketDgram();
    try {
      socket.setReusePort(peer != null);
      socket.setReceiveBufferSize(BUFFER_BYTES);
      socket.setSendBufferSize(BUFFER_BYTES);
      socket.bind(at);
      UdpSocket bound = new UdpSocket(socket);
      if (peer != null) {
        bound.connect(peer);
      }
      return bound;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private boolean option(int level, int name, int value) {
    try {
      socket.setIntOpt(level, name, value);
      return true;
    } catch (IOException | ChannelException e) {
      // Netty throws the latter if the socket does not have the option: those of IPv6 on an IPv4
      // socket, which is used if IPv6 is disabled.
      return false;
    }
  }

  /**
   * Sets the one peer, or another one later: datagrams of other senders are dropped, or delivered
   * to sockets that share the port.
   */
  public void connect(InetSocketAddress peer) throws IOException {
    if (!socket.isOpen()) {
      throw new ClosedChannelException();
    }
    socket.connect(peer);
    InetSocketAddress connected =
        socket.remoteAddress(); // never a wildcard, as the argument may be
    from = connected == null ? null : new PeerAddress(connected);
  }

  public InetSocketAddress localAddress() {
    return socket.localAddress();
  }

  /**
   * Whether receive times are the kernel's; otherwise they are the times at which datagrams were
   * read.
   */
  public boolean hasKernelTimes() {
    return hasTimes;
  }

  /**
   * Begins to receive, or replaces the receiver of events of a socket that has begun on this loop.
   * Fails if the loop is not one of epoll.
   */
  public Future<Boolean> register(EventLoop loop, Events newEvents) {
    Promise<Boolean> done = loop.newPromise();
    events = newEvents;
    if (registration != null) {
      return done.setSuccess(true);
    }
    if (!(loop instanceof IoEventLoop io) || !io.isCompatible(UdpSocket.class)) {
      return done.setFailure(new IOException("the event loop is not one of epoll"));
    }
    io.register(this)
        .addListener(registered -> {
          if (registered.isSuccess()) {
            registration = (IoRegistration) registered.getNow();
            watch();
            done.setSuccess(true);
          } else {
            done.setFailure(registered.cause());
          }
        });
    return done;
  }

  /**
   * Receives what is available, in some calls; more stays for the next turn of the loop.
   *
   * @return number of messages, each of one datagram or a train of them
   */
  public int receive() {
    Events told = events;
    return told == null ? 0 : receive(told::datagram);
  }

  int receive(DatagramReceiver.Sink sink) {
    int messages = 0;
    DatagramReceiver receiver = DatagramReceiver.ofThisThread();
    for (int i = 0; i < CALLS_A_TURN && socket.isOpen(); i++) {
      int received = receiver.receive(socket.intValue(), from, sink);
      if (received < 0 && received != -EAGAIN) {
        // The error of an earlier datagram, such as a closed port. The socket continues.
        LOG.log(Level.FINE, "recvmmsg: {0}", Errors.newIOException("recvmmsg", received));
        unreachable += received == -ECONNREFUSED ? 1 : 0;
      } else {
        messages += Math.max(0, received);
        if (received < DatagramReceiver.BATCH) {
          break;
        }
      }
    }
    return messages;
  }

  /** Sets whether {@link Events#readable} is called; datagrams wait in the kernel meanwhile. */
  public void awaitReadable(boolean waits) {
    if (waits != waitsForDatagrams) {
      waitsForDatagrams = waits;
      watch();
    }
  }

  @Override
  public boolean hasRoom(int bytes) {
    return batch.hasRoom(bytes);
  }

  @Override
  public ByteBuffer buffer() {
    return batch.buffer();
  }

  @Override
  public void add(int length) {
    batch.add(length);
  }

  /** Whether it was not closed, by its user or with its event loop. */
  public boolean isOpen() {
    return socket.isOpen();
  }

  /**
   * {@link Events#writable} follows if not all was sent. Datagrams added to a closed socket are
   * lost.
   */
  @Override
  public boolean flush() throws IOException {
    if (!socket.isOpen()) {
      batch.clear(); // The kernel may have given the descriptor to another socket.
    }
    if (batch.isEmpty()) {
      return true;
    }
    boolean gone = batch.flush(socket.intValue());
    if (gone == waitsForRoom) {
      waitsForRoom = !gone;
      watch();
    }
    return gone;
  }

  /** Number of datagrams, or trains of them, that the network refused. */
  public long refused() {
    return batch.refused();
  }

  /** Number of times that the peer's system reported a closed port. */
  public long unreachable() {
    return unreachable + batch.unreachable();
  }

  private void watch() {
    IoRegistration known = registration;
    if (known != null && known.isValid()) {
      int wanted = (waitsForDatagrams ? IN : 0) | (waitsForRoom ? OUT : 0);
      known.submit(EpollIoOps.valueOf(wanted == 0 ? NOTHING : wanted));
    }
  }

  @Override
  public FileDescriptor fd() {
    return socket;
  }

  @Override
  public void handle(IoRegistration ignored, IoEvent event) {
    int ready = ((EpollIoEvent) event).ops().value();
    Events told = events;
    if (told == null || !socket.isOpen()) {
      return;
    }
    if ((ready & OUT) != 0) {
      told.writable();
    }
    if ((ready & ~OUT) != 0) {
      told.readable();
    }
  }

  @Override
  public void close() {
    IoRegistration known = registration;
    registration = null;
    if (known != null) {
      known.cancel();
    }
    try {
      socket.close();
    } catch (IOException e) {
      LOG.log(Level.FINE, "close of a UDP socket: {0}", e.getMessage());
    }
  }
}
