package io.cascade.relay.rendezvous;

import io.cascade.carriage.rendezvous.MeetingAnswer;
import io.cascade.carriage.rendezvous.MeetingNumber;
import io.cascade.carriage.rendezvous.MeetingRefusal;
import io.cascade.carriage.rendezvous.MeetingRequest;
import io.cascade.carriage.socket.LingeringClose;
import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.transport.Connection;
import io.cascade.carriage.transport.SocketTuning;
import io.cascade.relay.admission.SourcePlaces;
import io.cascade.relay.chain.StreamAdmission;
import io.cascade.relay.pump.Direction;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.RelayStream;
import io.cascade.relay.stream.StreamSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.channel.unix.UnixChannel;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The port of a relay where two ends meet that both dial out: one waits under a number, the other
 * joins it, and the relay passes bytes between them unread.
 *
 * <p>The request is read on the event loop that accepted the connection. Then the connection moves
 * to the loop of its number, to which the {@link MeetingPlace} belongs, so that both connections of
 * a stream are on one loop.
 */
public final class RendezvousServer implements AutoCloseable {
  /** The port's name towards a successor. */
  public static final String PROTOCOL = "RENDEZVOUS";

  private static final Logger LOG = Logger.getLogger(RendezvousServer.class.getName());

  private final Sockets sockets;
  private final StreamAdmission streams;
  private final RendezvousLimits limits;
  private final SourcePlaces pending;
  private final SourcePlaces waiting;
  private final SourcePlaces joined;
  private final RequestRate rate;
  private final DayBudget budget;
  private final RendezvousCounts counts;
  private final LongAdder moved = new LongAdder();
  private final LongSupplier nanoClock;
  private final List<Home> homes = new ArrayList<>();

  /** Running streams, each with the number of its bytes that the budget has counted. */
  private final Map<RelayStream, Long> running = new ConcurrentHashMap<>();

  /** Numbers under which an end waits; written by their event loops. */
  private final Set<MeetingNumber> met = ConcurrentHashMap.newKeySet();

  private volatile @Nullable Channel listening;
  private volatile @Nullable AddressPort addresses;
  private volatile boolean leaving;

  private record Home(EventLoop loop, MeetingPlace place) {}

  private RendezvousServer(
      Sockets sockets, StreamAdmission streams, RendezvousLimits limits, LongSupplier nanoClock) {
    this.sockets = sockets;
    this.streams = streams;
    this.limits = limits;
    this.nanoClock = nanoClock;
    this.pending = new SourcePlaces(limits.mostPending(), limits.mostPendingOfSource());
    this.waiting = new SourcePlaces(limits.mostWaiting(), limits.mostWaitingOfSource());
    this.joined = new SourcePlaces(limits.mostJoined(), limits.mostJoinedOfSource());
    this.rate = new RequestRate(limits.requestsAMinute(), nanoClock);
    this.budget = new DayBudget(limits.bytesADay(), nanoClock);
    this.counts = new RendezvousCounts(nanoClock);
    for (EventExecutor loop : sockets.loops()) {
      homes.add(new Home((EventLoop) loop, new MeetingPlace(this)));
    }
  }

  /**
   * Opens the port; blocks.
   *
   * @param inherited listening socket of a predecessor; null for a new one
   * @throws IOException if the port cannot be opened
   */
  public static RendezvousServer open(
      InetSocketAddress at,
      RendezvousLimits limits,
      Sockets sockets,
      StreamAdmission streams,
      @Nullable Integer inherited)
      throws IOException {
    RendezvousServer server = new RendezvousServer(sockets, streams, limits, System::nanoTime);
    SocketTuning tuning = SocketTuning.defaults();
    ChannelFuture bound =
        inherited == null
            ? sockets.listen(at, tuning, () -> new RequestReader(server))
            : sockets.adopt(inherited, tuning, () -> new RequestReader(server));
    Throwable failure = bound.awaitUninterruptibly().cause();
    if (failure != null) {
      throw new IOException("rendezvous port " + at + ": " + failure.getMessage(), failure);
    }
    server.listening = bound.channel();
    server.openAddresses();
    if (inherited != null) {
      sockets.accept(bound.channel(), true);
    }
    return server;
  }

  /** Opens the UDP port. If it is taken, ends find no direct way and use the relay's. */
  private void openAddresses() {
    InetSocketAddress beside = address();
    if (beside != null) {
      try {
        addresses = AddressPort.open(beside, met::contains, limits.requestsAMinute(), nanoClock);
      } catch (IOException e) {
        LOG.log(
            Level.WARNING,
            "rendezvous: ends are not told their own addresses, and find no direct way: {0}",
            e.getMessage());
      }
    }
  }

  /** Address of the port; null once it is closed. */
  public @Nullable InetSocketAddress address() {
    Channel open = listening;
    return open == null ? null : (InetSocketAddress) open.localAddress();
  }

  /** Accepts connections, or leaves them in the kernel's queue. Blocks. */
  public void accept(boolean on) {
    Channel open = listening;
    if (open != null) {
      sockets.accept(open, on);
    }
  }

  /** Descriptor of the listening socket, for a successor; null once it is closed. */
  public @Nullable Integer descriptor() {
    Channel open = listening;
    return open == null ? null : ((UnixChannel) open).fd().intValue();
  }

  /** Number of connections whose request has not been read. */
  public int pending() {
    return pending.taken();
  }

  /** Number of connections that wait. */
  public int waiting() {
    return waiting.taken();
  }

  /** Bytes that may still be passed on today. */
  public long leftBytes() {
    return budget.leftBytes();
  }

  /** Number of requests by outcome. */
  public Map<String, Long> requests() {
    return counts.byCode();
  }

  /** Number of datagrams that told ends their address. */
  public long addressesTold() {
    AddressPort open = addresses;
    return open == null ? 0 : open.answered();
  }

  /** Bytes passed on between ends, both directions together, at the last {@link #look}. */
  public long movedBytes() {
    return moved.sum();
  }

  /** Counts what streams have moved, ends them if that exceeds the budget, and logs refusals. */
  public void look() {
    running.keySet().forEach(this::count);
    if (budget.leftBytes() == 0 && !running.isEmpty()) {
      LOG.log(
          Level.WARNING,
          "rendezvous: {0} streams are reset, since the daily budget of {1} bytes is spent",
          new Object[] {running.size(), limits.bytesADay()});
      running
          .keySet()
          .forEach(
              stream -> stream.abort(new CloseReason.Aborted(MeetingRefusal.BUDGET_SPENT.words())));
    }
    counts.log();
  }

  private void count(RelayStream stream) {
    long sum = stream.bytesOut(Direction.FORWARD) + stream.bytesOut(Direction.BACKWARD);
    Long before = running.replace(stream, sum);
    if (before != null) {
      budget.moved(sum - before);
      moved.add(sum - before);
    }
  }

  /** Accepts no more ends and refuses those that wait; streams continue. Idempotent. */
  @Override
  public void close() {
    leaving = true;
    AddressPort beside = addresses;
    if (beside != null) {
      beside.close();
    }
    Channel open = listening;
    listening = null;
    if (open != null) {
      open.close().awaitUninterruptibly();
    }
    for (Home home : homes) {
      home.loop()
          .submit(() -> home.place().refuseAll(MeetingRefusal.LEAVING))
          .awaitUninterruptibly();
    }
  }

  RendezvousLimits limits() {
    return limits;
  }

  /** Records whether an end waits under a number. */
  void waits(MeetingNumber number, boolean does) {
    boolean _ = does ? met.add(number) : met.remove(number);
  }

  RendezvousCounts counts() {
    return counts;
  }

  StreamAdmission streams() {
    return streams;
  }

  SourcePlaces waitingPlaces() {
    return waiting;
  }

  SourcePlaces joinedPlaces() {
    return joined;
  }

  /**
   * Admits a connection whose request has not arrived.
   *
   * @return why it is refused; null if it is admitted, after which {@link #leave} must be called
   */
  @Nullable MeetingRefusal enter(InetAddress client) {
    if (sockets.descriptors().scarce()) {
      return MeetingRefusal.FULL;
    }
    return switch (pending.enter(client)) {
      case TAKEN -> null;
      case SOURCE_FULL -> MeetingRefusal.TOO_MANY_REQUESTS;
      case FULL -> MeetingRefusal.FULL;
    };
  }

  void leave(InetAddress client) {
    pending.leave(client);
  }

  /** Reason for which every request is refused at present; null if there is none. */
  @Nullable MeetingRefusal obstacle(InetAddress client) {
    if (leaving) {
      return MeetingRefusal.LEAVING;
    }
    if (!rate.admit(client)) {
      return MeetingRefusal.TOO_MANY_REQUESTS;
    }
    return budget.leftBytes() == 0 ? MeetingRefusal.BUDGET_SPENT : null;
  }

  /**
   * Moves a connection to the event loop of its number.
   *
   * @param behind bytes after the request; handed over
   */
  void requested(Channel channel, MeetingRequest request, ByteBuf behind) {
    Home home = home(request.number());
    sockets
        .move(channel, home.loop())
        .addListener(moved -> {
          if (moved.isSuccess()) {
            home.place().arrived(channel, request, behind);
          } else {
            behind.release();
            counts.gone();
          }
        });
  }

  private Home home(MeetingNumber number) {
    return homes.get(Math.floorMod(number.hashCode(), homes.size()));
  }

  boolean tune(Channel channel, StreamSettings settings) {
    return sockets.tune(channel, settings.onward().tuning());
  }

  /** Tells an end why it is not joined, and closes its connection. Called on its event loop. */
  void refuse(Channel channel, MeetingRefusal why) {
    counts.refused(why);
    LingeringClose.send(channel, bytes(why));
  }

  /**
   * Does the same without waiting for bytes that the end still sends, since too many connections
   * are open.
   */
  void refuseAtOnce(Channel channel, MeetingRefusal why) {
    counts.refused(why);
    channel.writeAndFlush(bytes(why)).addListener(_ -> Connection.of(channel).closeInOrder());
  }

  private static ByteBuf bytes(MeetingRefusal why) {
    return Unpooled.wrappedBuffer(new MeetingAnswer.Refused(why).encode());
  }

  void began(RelayStream stream) {
    running.put(stream, 0L);
  }

  void ended(RelayStream stream) {
    count(stream);
    running.remove(stream);
  }
}
