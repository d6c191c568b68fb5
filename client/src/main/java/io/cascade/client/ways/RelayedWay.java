package io.cascade.client.ways;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainStream;
import io.cascade.api.orchestrator.CodedIngress;
import io.cascade.api.orchestrator.StreamAtRelay;
import io.cascade.client.transfer.FileTransfer;
import io.cascade.client.transfer.coded.SessionDial;
import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.connection.TransferFailed;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A transfer's way through relays for as long as the transfer runs: one chain after the other, and
 * over each one connection after the other. The blocks in flight on a failed connection are sent
 * over the transfer's other ways, or over the next connection.
 */
public final class RelayedWay {
  /** Name of the way in a transfer. */
  public static final String NAME = "relays";

  /** Time in which connections carry nothing after which another chain is opened. */
  private static final Duration FAILING = Duration.ofSeconds(10);

  /** Failed attempts after which a destination that the named relays never reached is given up. */
  private static final int MOST_REFUSALS = 3;

  /** Prefix of the reasons with which a relay ends a stream whose destination it cannot reach. */
  private static final String UNREACHED = "connect-";

  /** Reasons of streams that ended on the destination's side of the last relay, or on both. */
  private static final Set<String> ENDED_THERE = Set.of("completed", "onward-reset");

  private static final String OTHER_RELAYS = "the plan chose other relays";

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  private final OrchestratorClient client;
  private final Recipient to;
  private final FileTransfer transfer;
  private final Function<String, ChainRequest> request;
  private final boolean exact;
  private final Predicate<Chain> preferred;
  private final Function<Chain, Course> course;
  private final boolean changesControl;
  private final Consumer<Chain> opened;
  private final Unanswered unanswered;
  private final Consumer<String> note;

  private @Nullable TcpConnection current;
  private @Nullable Chain currentChain;
  private boolean everOpened;
  private boolean everCarried;

  /** Decision about a chain that carries. */
  public enum Course {
    /** It continues to carry. */
    STAYS,
    /** Another chain replaces it. */
    GIVES_WAY,
    /** The way ends with it, before the transfer does. */
    ENDS
  }

  /**
   * Creates the only way of a transfer: its chains stay as long as they carry.
   *
   * @param request makes the request of a chain, given the name that it must have
   * @param exact whether its relays were named, and so cannot be replaced
   * @param changesControl whether connections to the chain may use another congestion control than
   *     the host's default
   * @param opened told of each chain before anything is sent over it
   * @param note told what happens, a line each
   */
  public RelayedWay(
      OrchestratorClient client,
      Recipient to,
      FileTransfer transfer,
      Function<String, ChainRequest> request,
      boolean exact,
      boolean changesControl,
      Consumer<Chain> opened,
      Consumer<String> note) {
    this(
        client,
        to,
        transfer,
        request,
        exact,
        _ -> true,
        _ -> Course.STAYS,
        changesControl,
        opened,
        new Unanswered(to, transfer, Unanswered.Way.RELAYED),
        note);
  }

  /**
   * Creates a way beside others.
   *
   * @param request makes the request of a chain, given the name that it must have
   * @param exact whether its relays were named, and so cannot be replaced
   * @param preferred whether a direct connection is to stand by while a chain carries
   * @param course asked for each chain before anything is sent over it, whenever a connection over
   *     it fails, and on {@link #reconsider}
   * @param changesControl whether connections to the chain may use another congestion control than
   *     the host's default
   * @param opened told of each chain before anything is sent over it
   * @param unanswered told of connections that ended at the destination
   * @param note told what happens, a line each
   */
  RelayedWay(
      OrchestratorClient client,
      Recipient to,
      FileTransfer transfer,
      Function<String, ChainRequest> request,
      boolean exact,
      Predicate<Chain> preferred,
      Function<Chain, Course> course,
      boolean changesControl,
      Consumer<Chain> opened,
      Unanswered unanswered,
      Consumer<String> note) {
    this.client = client;
    this.to = to;
    this.transfer = transfer;
    this.request = request;
    this.exact = exact;
    this.preferred = preferred;
    this.course = course;
    this.changesControl = changesControl;
    this.opened = opened;
    this.unanswered = unanswered;
    this.note = note;
  }

  /**
   * Carries until the transfer or the way ends, and closes the chain.
   *
   * @throws Exception where not even a first chain could be opened and connected to, or its relays
   *     were named and do not reach the destination
   */
  public void run() throws Exception {
    while (true) {
      try {
        Optional<String> why = TemporaryChain.with(client, "send", this::asked, this::through);
        if (why.isEmpty()) {
          return;
        }
        note.accept("the way through relays: %s; opening another chain".formatted(why.get()));
        if (why.get().equals(OTHER_RELAYS)) {
          continue;
        }
      } catch (UnreachableException | ProblemException | TransferFailed e) {
        if (!everOpened || (exact && !everCarried)) {
          throw e;
        }
      }
      transfer.pause(LONGEST_PAUSE);
      if (!transfer.canBeJoined()) {
        return;
      }
    }
  }

  /**
   * Does what {@link #run} does for a transfer without another way: while the transfer {@link
   * FileTransfer#persists persists}, failed attempts are repeated.
   */
  public void runAlone() throws Exception {
    Attempts attempts = new Attempts(transfer, note);
    while (true) {
      try {
        run();
        return;
      } catch (UnreachableException | TransferFailed e) {
        attempts.awaitNext(e);
      }
    }
  }

  private ChainRequest asked(String name) {
    return request.apply(name).toBuilder()
        .codedIngress(SessionDial.isAvailable() ? true : null)
        .build();
  }

  /**
   * Carries over one chain.
   *
   * @return why another one is to replace it; empty where the transfer has ended
   */
  private Optional<String> through(Chain first) throws TransferFailed, InterruptedException {
    CodedIngress coded = first.codedIngress();
    try (CodedFirstHop hop =
        coded == null ? null : new CodedFirstHop(first.id(), coded, to, transfer)) {
      return through(first, hop);
    }
  }

  /**
   * @param hop sessions to the chain's first relay, which outlive the TCP connections beside them:
   *     the receiver's answer may arrive over one after the connections were closed
   */
  private Optional<String> through(Chain first, @Nullable CodedFirstHop hop)
      throws TransferFailed, InterruptedException {
    Chain chain = first;
    long carriedNanos = System.nanoTime();
    boolean broken = false;
    int refusals = 0;
    Duration pause = SHORTEST_PAUSE;
    while (transfer.canBeJoined()) {
      if (connectAndCarry(chain, hop) > 0) {
        carriedNanos = System.nanoTime();
        pause = SHORTEST_PAUSE;
        everCarried = true;
      }
      if (!transfer.canBeJoined()) {
        return Optional.empty();
      }
      switch (course.apply(chain)) {
        case STAYS -> {}
        case GIVES_WAY -> {
          return Optional.of(OTHER_RELAYS);
        }
        case ENDS -> {
          return Optional.empty();
        }
      }
      Optional<StreamAtRelay> end = everCarried ? Optional.empty() : atLastRelay(chain);
      if (end.filter(RelayedWay::endedByDestination).isPresent()) {
        unanswered.ended(Unanswered.Way.RELAYED);
      }
      Optional<String> refusal = end.flatMap(RelayedWay::whyUnreached);
      if (exact && refusal.isPresent() && ++refusals == MOST_REFUSALS) {
        throw new TransferFailed(
            "via %s no data arrives: %s".formatted(relays(chain), refusal.get()));
      }
      if (!broken) {
        broken = true;
        String lost =
            refusal.isPresent()
                ? "via %s: %s".formatted(relays(chain), refusal.get())
                : "lost the way via %s".formatted(relays(chain));
        note.accept(lost + "; trying again");
      }
      transfer.pause(pause);
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
              ? pause.multipliedBy(2)
              : LONGEST_PAUSE;
      try {
        Chain now = client.chain(chain.id());
        if (!Chains.isLive(now)) {
          return Optional.of("the chain is " + now.state());
        }
        if (now.ingress() != null) {
          chain = now; // The chain may have been rerouted.
        }
      } catch (ProblemException e) {
        return Optional.of("the orchestrator has no such chain");
      } catch (UnreachableException e) {
        continue; // The chain may still work.
      }
      if (!exact && System.nanoTime() - carriedNanos > FAILING.toNanos()) {
        return Optional.of("no data arrived for %d s".formatted(FAILING.toSeconds()));
      }
    }
    return Optional.empty();
  }

  /** Returns the number of bytes carried. */
  private long connectAndCarry(Chain chain, @Nullable CodedFirstHop hop)
      throws TransferFailed, InterruptedException {
    TcpConnection connection;
    try {
      connection = TcpConnection.connect(Chains.ingress(chain), CONNECT_TIMEOUT, changesControl);
    } catch (TransferFailed e) {
      // A chain that does not reach the destination may reset the connection before it is usable.
      if (everOpened || atLastRelay(chain).flatMap(RelayedWay::whyUnreached).isPresent()) {
        return 0;
      }
      throw e;
    }
    everOpened = true;
    synchronized (this) {
      current = connection;
      currentChain = chain;
    }
    // If the course changes later, the connection is closed.
    if (course.apply(chain) != Course.STAYS) {
      connection.reset();
      return 0;
    }
    opened.accept(chain);
    ByteConnection ready;
    try {
      ready = to.access().over(connection);
      unanswered.proved();
    } catch (TransferFailed e) {
      transfer.failed(e);
      return 0;
    } catch (IOException e) {
      return 0;
    }
    boolean isPreferred = preferred.test(chain);
    if (hop == null) {
      return transfer.carry(ready, NAME, isPreferred);
    }
    long before = hop.carriedBytes();
    hop.beside(connection, isPreferred);
    return transfer.carry(ready, NAME, isPreferred) + hop.carriedBytes() - before;
  }

  /**
   * Asks for the chain's course again, and closes the connection over it unless it stays. Its
   * blocks in flight are sent over the transfer's other ways.
   */
  public synchronized void reconsider() {
    TcpConnection carrying = current;
    Chain over = currentChain;
    if (carrying != null && over != null && course.apply(over) != Course.STAYS) {
      carrying.reset();
    }
  }

  /** Returns why a stream did not reach the destination; empty where it did. */
  private static Optional<String> whyUnreached(StreamAtRelay last) {
    return reason(last).startsWith(UNREACHED)
        ? Optional.of(last.reason() + ": " + last.detail())
        : Optional.empty();
  }

  private static boolean endedByDestination(StreamAtRelay last) {
    return ENDED_THERE.contains(reason(last));
  }

  private static String reason(StreamAtRelay of) {
    return Objects.requireNonNullElse(of.reason(), "");
  }

  /** The last relay's record of the chain's newest stream; empty where there is none. */
  private Optional<StreamAtRelay> atLastRelay(Chain chain) {
    String last = chain.relays().getLast();
    try {
      return client.streams(chain.id()).streams().stream()
          .max(Comparator.comparing(ChainStream::openedAt))
          .flatMap(newest ->
              newest.relays().stream().filter(relay -> relay.relay().equals(last)).findFirst());
    } catch (UnreachableException | ProblemException e) {
      return Optional.empty();
    }
  }

  private static String relays(Chain chain) {
    return String.join(", ", chain.relays());
  }
}
