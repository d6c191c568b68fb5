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
 * A transfer's ways that need no orchestrator: TCP at once, and a coded session beside it once that
 * is established. If a relay joins both ends, connections run through it, and the coded session
 * runs directly if the NATs between them allow it. A short file begins with four connections where
 * round trips are long. If losses slow TCP down and the kernel offers no congestion control that
 * they do not slow, more connections are added, up to {@value #MOST_CONNECTIONS}. Each is retried
 * for as long as the transfer runs.
 */
public final class DirectWays implements AutoCloseable {
  /** Name of the way over TCP in a transfer. */
  public static final String TCP = "direct";

  /** Name of the way over coded sessions in a transfer. */
  public static final String CODED = "coded";

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(15);

  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** Most connections over TCP: as many as other tools open. */
  private static final int MOST_CONNECTIONS = 8;

  private static final Duration BETWEEN_CONNECTIONS = Duration.ofMillis(250);

  /**
   * Connections of a short file where the round trip is long: slow start is a large share of its
   * time, and takes fewer round trips when several connections begin with ten segments each (RFC
   * 6928).
   */
  private static final int FIRST_CONNECTIONS = 4;

  private static final Duration LONG_ROUND_TRIP = Duration.ofMillis(100);

  /** Smaller files gain less than the handshakes of more connections cost. */
  private static final long LEAST_SHARED_BYTES = 2 << 20;

  /** Larger files use the path beside other traffic for longer than slow start takes. */
  private static final long MOST_SHARED_BYTES = 32 << 20;

  /**
   * Delay before a session joins a connection with BBR, which losses do not slow, or a transfer of
   * unknown size, which may end before: a session takes processor time of both ends, and added
   * little in its first seconds.
   */
  private static final Duration LATER = Duration.ofSeconds(2);

  /** Smaller files end before a session could help. */
  private static final long LEAST_CODED_BYTES = 1 << 20;

  /** Shorter round trips indicate a local network, on which TCP needs no help. */
  private static final Duration LEAST_CODED_ROUND_TRIP = Duration.ofMillis(2);

  private final Recipient to;
  private final FileTransfer transfer;
  private final Unanswered unanswered;
  private final boolean changesControl;
  private final KnownPaths paths = KnownPaths.ofThisUser();
  private final CodedDial dial;
  private final Consumer<String> notes;

  /** Whether the receiver has authenticated itself on the first connection, once known. */
  private final CompletableFuture<Boolean> proved = new CompletableFuture<>();

  /** Whether the latest attempt to connect failed. */
  private volatile boolean isAway;

  /**
   * Creates the only ways of a transfer.
   *
   * @param changesControl whether TCP may use another congestion control than the host's default,
   *     and begin with several connections
   * @param notes messages for the user during the transfer
   */
  public DirectWays(
      Recipient to, FileTransfer transfer, boolean changesControl, Consumer<String> notes) {
    this(to, transfer, new Unanswered(to, transfer, Unanswered.Way.DIRECT), changesControl, notes);
  }

  /** Creates ways beside others, all of which report to {@code unanswered}. */
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
   * Connects, and sends for as long as the transfer runs, on threads of its own.
   *
   * @throws TransferFailed where the receiver cannot be reached within the time that the transfer
   *     {@link FileTransfer#persists persists}
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
   * Number of connections with which a file begins.
   *
   * @param mayHave whether it may have so many bytes
   */
  static int connectionsAtFirst(LongPredicate mayHave, Duration roundTrip) {
    boolean isOverSoon = mayHave.test(LEAST_SHARED_BYTES) && !mayHave.test(MOST_SHARED_BYTES);
    return isOverSoon && roundTrip.compareTo(LONG_ROUND_TRIP) >= 0 ? FIRST_CONNECTIONS : 1;
  }

  /** Connects, and sends once the receiver has authenticated itself on the first connection. */
  private void carryBeside() {
    try {
      TcpConnection beside = to.connect(CONNECT_TIMEOUT, changesControl);
      if (proved.join()) {
        carryOverTcp(beside, false);
      } else {
        beside.close();
      }
    } catch (IOException e) {
      // The receiver accepts no more connections.
    }
  }

  /**
   * Sends over one connection after the other, until the transfer has ended.
   *
   * @param isFirst whether it retries while the receiver cannot be reached or does not answer; the
   *     others wait
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
          isAway = true; // The connection is retried.
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void carry(ByteConnection over, boolean isFirst) throws InterruptedException {
    AtomicBoolean stands = new AtomicBoolean(true);
    // The receiver of a file of known size sends its offer as soon as it has the header.
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
      // Another connection is tried.
    }
    stands.set(false);
    proved.complete(false);
    if (isFirst) { // The other connections give no further evidence of what listens there.
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

  /** Adds connections, one after the other, if losses slow the first one down. */
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
      // The receiver accepts no more connections.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void carryOverSessions(Duration patience) {
    if (!SessionDial.isAvailable()) { // Checked here, where no file waits for it.
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

  /** Closes coded sessions. Connections end with the transfer. */
  @Override
  public void close() {
    dial.close();
    paths.keep();
  }
}
