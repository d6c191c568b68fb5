package io.cascade.client.ways;

import io.cascade.client.rendezvous.Meeting;
import io.cascade.client.sealed.SealedAccess;
import io.cascade.client.transfer.FileTransfer;
import io.cascade.client.transfer.coded.CodedDial;
import io.cascade.client.transfer.coded.SessionDial;
import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.SilentPeer;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.connection.TransferFailed;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/**
 * A transfer's ways that need no orchestrator: TCP at once, and a coded session beside it as soon
 * as that stands. Where a relay joins both ends, connections go through it, and the coded session
 * goes directly where the NATs between them let it. A file that is over soon begins with four
 * connections where round trips are long. Where losses hold TCP back and the kernel offers no
 * control that they do not slow down, there are more connections, up to {@value #MOST_CONNECTIONS}.
 * Each is tried again as long as the transfer runs.
 */
public final class DirectWays implements AutoCloseable {
  /** Name of the way over TCP in a transfer. */
  public static final String TCP = "direct";

  /** Name of the way over coded sessions in a transfer. */
  public static final String CODED = "coded";

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(15);

  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** Connections over TCP, at most: as many as other tools open. */
  private static final int MOST_CONNECTIONS = 8;

  private static final Duration BETWEEN_CONNECTIONS = Duration.ofMillis(250);

  /**
   * Connections of a file that is over soon, where the round trip is long: slow start is a large
   * share there, and takes fewer round trips where several begin with ten segments each (RFC 6928).
   */
  private static final int FIRST_CONNECTIONS = 4;

  private static final Duration LONG_ROUND_TRIP = Duration.ofMillis(100);

  /** Smaller files gain less than the handshakes of more connections cost. */
  private static final long LEAST_SHARED_BYTES = 2 << 20;

  /** Larger ones share the path with others for longer than slow start takes. */
  private static final long MOST_SHARED_BYTES = 32 << 20;

  /**
   * Time after which a session joins a connection with BBR, which losses do not hold back, or a
   * transfer of unknown size, which may be over before: a session takes processor time of both
   * ends, and added little in its first seconds.
   */
  private static final Duration LATER = Duration.ofSeconds(2);

  /** Files that are smaller are over before a session could help. */
  private static final long LEAST_CODED_BYTES = 1 << 20;

  /** Shorter round trips are a local network's, in which TCP lacks nothing. */
  private static final Duration LEAST_CODED_ROUND_TRIP = Duration.ofMillis(2);

  private final Recipient to;
  private final FileTransfer transfer;
  private final Unanswered unanswered;
  private final boolean changesControl;
  private final KnownPaths paths = KnownPaths.ofThisUser();
  private final CodedDial dial;
  private final Consumer<String> notes;

  /** Whether the receiver has proved itself to the first connection, once that is known. */
  private final CompletableFuture<Boolean> proved = new CompletableFuture<>();

  /** Whether the latest attempt to connect failed. */
  private volatile boolean isAway;

  /**
   * The only ways of a transfer.
   *
   * @param changesControl whether TCP may use another congestion control than the host's default,
   *     and begin with several connections
   * @param notes what a person may read while it goes on
   */
  public DirectWays(
      Recipient to, FileTransfer transfer, boolean changesControl, Consumer<String> notes) {
    this(to, transfer, new Unanswered(to, transfer, Unanswered.Way.DIRECT), changesControl, notes);
  }

  /** Ways beside others, which are told apart by {@code unanswered}. */
  DirectWays(
      Recipient to,
      FileTransfer transfer,
      Unanswered unanswered,
      boolean changesControl,
      Consumer<String> notes) {
    this.unanswered = unanswered;
    this.to = to;
    this.transfer = transfer;
    this.changesControl = changesControl;
    this.dial = new CodedDial(to.at(), to.access(), paths.memory());
    this.notes = notes;
  }

  /**
   * Connects, and sends as long as the transfer runs, on threads of its own.
   *
   * @throws TransferFailed where the receiver cannot be connected to, nor in the time that the
   *     transfer {@link FileTransfer#persists persists}
   */
  public void start() throws TransferFailed {
    Attempts attempts = new Attempts(transfer, notes);
    while (true) {
      long before = System.nanoTime();
      try {
        TcpConnection first = to.connect(CONNECT_TIMEOUT, changesControl);
        carryFrom(first, first.roundTrip(Duration.ofNanos(System.nanoTime() - before)));
        return;
      } catch (TransferFailed e) {
        pause(attempts, e);
      }
    }
  }

  private static void pause(Attempts attempts, TransferFailed failure) throws TransferFailed {
    try {
      attempts.awaitNext(failure);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure;
    }
  }

  private void carryFrom(TcpConnection first, Duration roundTrip) {
    Thread.ofVirtual().name(TCP).start(() -> carryOverTcp(first, true));
    int beside = connectionsBeside(roundTrip);
    for (int i = 0; i < beside; i++) {
      Thread.ofVirtual().name(TCP).start(this::carryBeside);
    }
    Thread.ofVirtual().name("more connections").start(() -> addConnections(first, 1 + beside));
    boolean isLater = first.toleratesLoss() || !transfer.isOfKnownSize();
    Duration patience = isLater ? LATER : Duration.ZERO;
    if (transfer.canBeJoined()
        && transfer.mayHave(LEAST_CODED_BYTES)
        && (to.isMet() || roundTrip.compareTo(LEAST_CODED_ROUND_TRIP) >= 0)) {
      Thread.ofPlatform().daemon().name(CODED).start(() -> carryOverSessions(patience));
    }
  }

  private int connectionsBeside(Duration roundTrip) {
    return changesControl && !to.isMet() && transfer.isOfKnownSize() && transfer.canBeJoined()
        ? connectionsAtFirst(transfer::mayHave, roundTrip) - 1
        : 0;
  }

  /**
   * How many connections a file begins with.
   *
   * @param mayHave whether it has so many bytes
   */
  static int connectionsAtFirst(LongPredicate mayHave, Duration roundTrip) {
    boolean isOverSoon = mayHave.test(LEAST_SHARED_BYTES) && !mayHave.test(MOST_SHARED_BYTES);
    return isOverSoon && roundTrip.compareTo(LONG_ROUND_TRIP) >= 0 ? FIRST_CONNECTIONS : 1;
  }

  /** Connects, and carries once the receiver has proved itself to the first connection. */
  private void carryBeside() {
    try {
      TcpConnection beside = to.connect(CONNECT_TIMEOUT, changesControl);
      if (proved.join()) {
        carryOverTcp(beside, false);
      } else {
        beside.close();
      }
    } catch (IOException e) {
      // There are as many as the receiver takes.
    }
  }

  /**
   * One connection after the other, until the transfer is over.
   *
   * @param isFirst whether it tries while nobody answers or can be connected to; the others wait
   */
  private void carryOverTcp(ByteConnection first, boolean isFirst) {
    try {
      carry(first, isFirst);
      while (transfer.canBeJoined()) {
        transfer.pause(PAUSE);
        if (!isFirst && (isAway || !transfer.isAnswered())) {
          continue;
        }
        try {
          ByteConnection another = to.connect(CONNECT_TIMEOUT, changesControl);
          isAway = false;
          carry(another, isFirst);
        } catch (TransferFailed e) {
          isAway = true; // It is tried again.
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void carry(ByteConnection over, boolean isFirst) throws InterruptedException {
    AtomicBoolean stands = new AtomicBoolean(true);
    // A receiver of a file whose size is known makes its offer as soon as it has the header.
    if (to.inClear() && transfer.isOfKnownSize()) {
      Thread.ofVirtual().name("silence").start(() -> awaitWord(stands));
    }
    try {
      ByteConnection ready = to.access().over(over);
      unanswered.proved();
      proved.complete(true);
      long _ = transfer.carry(ready, TCP, false);
    } catch (TransferFailed e) {
      transfer.failed(e);
    } catch (SilentPeer e) {
      unanswered.silent(SealedAccess.PATIENCE);
    } catch (IOException e) {
      // Another one is tried.
    }
    stands.set(false);
    proved.complete(false);
    if (isFirst) { // Those beside it say no more of who listens there.
      unanswered.ended(Unanswered.Way.DIRECT);
    }
  }

  private void awaitWord(AtomicBoolean stands) {
    try {
      transfer.pause(SealedAccess.PATIENCE);
      if (stands.get()) {
        unanswered.silent(SealedAccess.PATIENCE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Adds connections, one after the other, where losses hold the first one back. */
  private void addConnections(TcpConnection first, int already) {
    try {
      int connections = already;
      while (transfer.canBeJoined() && connections < MOST_CONNECTIONS) {
        transfer.pause(BETWEEN_CONNECTIONS);
        if (first.isHeldByLosses() && transfer.canBeJoined()) {
          connections++;
          ByteConnection another = to.connect(CONNECT_TIMEOUT, changesControl);
          Thread.ofVirtual().name(TCP).start(() -> carryOverTcp(another, false));
        }
      }
    } catch (TransferFailed e) {
      // There are as many as the receiver takes.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void carryOverSessions(Duration patience) {
    if (!SessionDial.isAvailable()) { // Looked for here, where no file waits for it.
      return;
    }
    try {
      transfer.pause(patience);
      SessionsInTurn.carry(transfer, CODED, false, this::session, () -> true, new AtomicLong());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Optional<ByteConnection> session() throws InterruptedException {
    Meeting meeting = to.meeting();
    return meeting == null
        ? dial.dial()
        : dial.dial(meeting.observer(), () -> to.connect(CONNECT_TIMEOUT, false));
  }

  /** Ends coded sessions. Connections end with the transfer. */
  @Override
  public void close() {
    dial.close();
    paths.keep();
  }
}
