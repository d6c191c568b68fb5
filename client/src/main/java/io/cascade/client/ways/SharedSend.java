package io.cascade.client.ways;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.client.terminal.PlanSummary;
import io.cascade.client.transfer.Carried;
import io.cascade.client.transfer.FileTransfer;
import io.cascade.client.transfer.Sent;
import io.cascade.client.transfer.connection.TransferFailed;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends directly at once, and through relays as soon as there is a chain. If the orchestrator has
 * stored measurements of the path, the first request opens a chain from those. Meanwhile a plan is
 * requested, for which this host and relays measure: it opens the chain if there is none yet, and
 * replaces or closes a provisional one that it does not confirm. If the plan is certain of relays,
 * the direct way stands by once they have joined. If it is undecided, both ways share the blocks
 * until the end, so that finding the quicker one costs nothing. A failed way is retried for as long
 * as the transfer runs, and the transfer outlives the failure of both.
 */
public final class SharedSend {
  /**
   * Smaller files end before a plan is made: no plan is requested and nothing is measured for them.
   */
  public static final long LEAST_PLANNED_BYTES = 1 << 20;

  /**
   * Time after which relays are used for a small file, too, since the direct way does not carry it.
   */
  private static final Duration SMALL_FILES_TIME = Duration.ofSeconds(1);

  /** Time after which this host measures although no chain has been opened or refused. */
  private static final Duration LONGEST_ASKING = Duration.ofSeconds(1);

  private final OrchestratorClient client;
  private final Questions questions;
  private final Recipient to;
  private final FileTransfer transfer;
  private final Consumer<String> note;
  private final boolean changesControl;
  private final Unanswered unanswered;

  private Stage stage = Stage.PLANNING;
  private @Nullable Plan plan;

  /** Name of the chain that was opened before there was a plan; empty for none. */
  private String provisional = "";

  private @Nullable Chain chain;

  /** Whether an earlier chain used other relays. */
  private boolean severalRoutes;

  private boolean shared;
  private String obstacle = "";

  private volatile boolean withoutOrchestrator;

  /** Stage of the way through relays. */
  private enum Stage {
    /** A chain was requested from stored measurements. */
    ASKING,
    PLANNING,
    OPENING,
    OVER
  }

  /** Questions to the orchestrator. */
  public interface Questions {
    /**
     * Asks for the plan, after the measurements for it.
     *
     * @throws InterruptedException where the thread was interrupted meanwhile
     */
    Plan plan() throws InterruptedException;

    /** Whether the plan exists already, so that it need not be waited for. */
    default boolean isPlanned() {
      return false;
    }

    /** The request of a chain that has this name. */
    ChainRequest chain(String name);

    /** Returns the questions of a transfer whose plan exists. */
    static Questions of(Plan made, Function<String, ChainRequest> chains) {
      return new Questions() {
        @Override
        public boolean isPlanned() {
          return true;
        }

        @Override
        public Plan plan() {
          return made;
        }

        @Override
        public ChainRequest chain(String name) {
          return chains.apply(name);
        }
      };
    }
  }

  /**
   * @param changesControl whether connections may use another congestion control than the host's
   *     default
   * @param note told what happens, a line each
   */
  public SharedSend(
      OrchestratorClient client,
      Questions questions,
      Recipient to,
      FileTransfer transfer,
      boolean changesControl,
      Consumer<String> note) {
    this.client = client;
    this.questions = questions;
    this.to = to;
    this.transfer = transfer;
    this.changesControl = changesControl;
    this.note = note;
    this.unanswered = new Unanswered(to, transfer, Unanswered.Way.DIRECT, Unanswered.Way.RELAYED);
  }

  /**
   * Result of sending.
   *
   * @param plan null where there was none in time
   * @param chain null where none was used
   * @param throughRelays whether the chain carried most bytes
   * @param why reason in a sentence
   * @param direct what the direct way carried; null where it could not be connected
   * @param coded what direct coded sessions carried; null for nothing
   * @param relayed what chains carried, without their relays where those differed; null for nothing
   */
  public record Result(
      Sent sent,
      @Nullable Plan plan,
      @Nullable Chain chain,
      boolean throughRelays,
      String why,
      @Nullable Carried direct,
      @Nullable Carried coded,
      @Nullable Share relayed) {

    /** The plan; if there was none in time, the one stored with the chain that was opened first. */
    public @Nullable Plan latestPlan() {
      return plan == null && chain != null ? chain.plan() : plan;
    }
  }

  /**
   * Sends; returns when the receiver holds the file. A chain may have to be closed then, see {@link
   * #awaitChainClosed}.
   *
   * @throws TransferFailed where the receiver does not hold the file
   */
  public Result send() throws TransferFailed {
    Thread.ofVirtual().name("relays").start(this::overRelays);
    try (DirectWays direct = new DirectWays(to, transfer, unanswered, changesControl, note)) {
      Thread.ofVirtual().name("direct").start(() -> overDirect(direct));
      return result(transfer.await());
    }
  }

  /**
   * Runs on a thread of its own: a firewall that drops packets must not delay a transfer that
   * relays have carried.
   */
  private void overDirect(DirectWays direct) {
    try {
      direct.start();
      note.accept("sending directly to " + to);
    } catch (TransferFailed e) {
      unanswered.without(Unanswered.Way.DIRECT);
      if (!transfer.isOver()) {
        awaitChainOr(e);
      }
    }
  }

  /** Waits for a chain after the direct way has failed; without one, the transfer fails. */
  private synchronized void awaitChainOr(TransferFailed unreachable) {
    note.accept(unreachable.getMessage() + "; waiting for a way through relays");
    if (awaitThat(() -> shared || stage == Stage.OVER) && !shared) {
      String of = obstacle.isEmpty() ? "" : "; " + obstacle;
      transfer.failed(new TransferFailed(unreachable.getMessage() + of, unreachable));
    }
  }

  /**
   * Waits until a chain that is being opened is closed again; a plan in progress may be abandoned.
   * Returns early where the thread is interrupted; the chain is closed nevertheless.
   */
  public synchronized void awaitChainClosed() {
    boolean _ = awaitThat(() -> stage == Stage.PLANNING || stage == Stage.OVER);
  }

  /** Returns false where the thread was interrupted; its interrupt flag stays set. */
  private synchronized boolean awaitThat(BooleanSupplier condition) {
    try {
      while (!condition.getAsBoolean()) {
        wait();
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void overRelays() {
    String reason = "";
    try {
      boolean small = !transfer.mayHave(LEAST_PLANNED_BYTES);
      if (small) {
        transfer.pause(SMALL_FILES_TIME);
        if (!transfer.canBeJoined()) {
          return;
        }
      }
      boolean asks = !small && !questions.isPlanned();
      if (asks) {
        synchronized (this) {
          stage = Stage.ASKING;
        }
      }
      RelayedWay way = way();
      CompletableFuture<Plan> planning = new CompletableFuture<>();
      Thread.ofVirtual().name("plan").start(() -> plan(way, planning));
      if (!asks || !overStored(way)) {
        overPlanned(planning.get());
      }
    } catch (ExecutionException e) {
      reason = noWay(e.getCause());
    } catch (Exception e) {
      reason = noWay(e);
    } finally {
      synchronized (this) {
        stage = Stage.OVER;
        obstacle = reason;
        notifyAll();
      }
      unanswered.without(Unanswered.Way.RELAYED);
    }
  }

  /** Whether no orchestrator answered. */
  public boolean isWithoutOrchestrator() {
    return withoutOrchestrator;
  }

  private String noWay(@Nullable Throwable why) {
    withoutOrchestrator = why instanceof UnreachableException;
    String words =
        switch (why) {
          case UnreachableException e when e.isAboutLeading() -> String.valueOf(e.getMessage());
          case UnreachableException e ->
              e.getMessage() + ": start an orchestrator with ./cascade orchestrator, or name yours";
          case ProblemException e -> String.valueOf(e.getMessage());
          case TransferFailed e -> String.valueOf(e.getMessage());
          case null, default -> String.valueOf(why);
        };
    String fix =
        why instanceof UnreachableException away && !away.isAboutLeading()
            ? " with --orchestrator URL"
            : "";
    note.accept("no way through relays: " + words + fix);
    return words;
  }

  private RelayedWay way() {
    return new RelayedWay(
        client,
        to,
        transfer,
        this::request,
        false,
        this::isCertain,
        this::course,
        changesControl,
        this::through,
        unanswered,
        note);
  }

  private void plan(RelayedWay way, CompletableFuture<Plan> planning) {
    try {
      awaitStoredAnswer();
      Plan made = questions.plan();
      note.accept("plan: " + PlanSummary.of(made));
      Chain goingOn;
      synchronized (this) {
        plan = made;
        goingOn = chain == null || course(chain) != RelayedWay.Course.STAYS ? null : chain;
      }
      if (goingOn != null && !PlanSummary.otherwise(made, goingOn.relays()).isEmpty()) {
        note.accept(
            "the chain via %s, which was opened before that plan, stays in use"
                .formatted(String.join(", ", goingOn.relays())));
      }
      planning.complete(made);
      way.reconsider();
    } catch (Exception | Error e) {
      planning.completeExceptionally(e);
    }
  }

  /**
   * Waits for the answer to the request for a chain, which takes a few round trips and would be
   * delayed by a concurrent measurement.
   */
  private synchronized void awaitStoredAnswer() throws InterruptedException {
    long until = System.nanoTime() + LONGEST_ASKING.toNanos();
    for (long left = LONGEST_ASKING.toMillis();
        stage == Stage.ASKING && left > 0;
        left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime())) {
      wait(left);
    }
  }

  /**
   * Carries over a chain from stored measurements while the plan is being made; over the plan's
   * chain from then on.
   *
   * @return false where there was no such chain, and the plan is to be waited for
   */
  private boolean overStored(RelayedWay way) {
    try {
      way.run();
      return true;
    } catch (Exception e) {
      synchronized (this) {
        stage = Stage.PLANNING;
        notifyAll();
      }
      return false; // The plan will report the reason.
    }
  }

  private void overPlanned(Plan made) throws Exception {
    synchronized (this) {
      if (isWithoutRelays(made) || !transfer.canBeJoined()) {
        return;
      }
      stage = Stage.OPENING;
    }
    way().run();
  }

  private synchronized ChainRequest request(String name) {
    ChainRequest asked = questions.chain(name);
    PlanRequest question = asked.question();
    if (plan != null || question == null) {
      provisional = "";
      return asked;
    }
    provisional = name;
    return asked.toBuilder().question(question.toBuilder().stored(true).build()).build();
  }

  /**
   * Whether the plan decides for the cascade; before it exists, the plan stored with the chain
   * counts.
   */
  private synchronized boolean isCertain(Chain over) {
    Plan made = plan == null ? over.plan() : plan;
    return made != null && made.decision() == Decision.CASCADE;
  }

  /** A chain that the plan opened stays, whichever relays it uses. */
  private synchronized RelayedWay.Course course(Chain over) {
    if (stage == Stage.ASKING) {
      stage = Stage.OPENING;
      notifyAll();
    }
    Plan made = plan;
    if (made == null || !provisional.equals(over.name())) {
      return RelayedWay.Course.STAYS;
    }
    if (isWithoutRelays(made)) {
      return RelayedWay.Course.ENDS;
    }
    return made.decision() == Decision.CASCADE && !over.relays().equals(made.relays())
        ? RelayedWay.Course.GIVES_WAY
        : RelayedWay.Course.STAYS;
  }

  private static boolean isWithoutRelays(Plan made) {
    return made.decision() == Decision.DIRECT || made.decision() == Decision.EQUAL;
  }

  private void through(Chain opened) {
    boolean another;
    String aside;
    synchronized (this) {
      another = chain == null || !chain.id().equals(opened.id());
      severalRoutes |= chain != null && !chain.relays().equals(opened.relays());
      chain = opened;
      aside = PlanSummary.otherwise(plan, opened.relays());
      if (!aside.isEmpty() && provisional.equals(opened.name())) {
        aside = ", which was opened before that plan";
      }
      shared = true;
      notifyAll();
    }
    if (another) {
      note.accept("sending via " + String.join(", ", opened.relays()) + " as well" + aside);
    }
  }

  /** The latest chain that carried something; null where there is none. */
  public synchronized @Nullable Chain chain() {
    return chain;
  }

  private synchronized Result result(Sent sent) {
    Carried direct = transfer.share(DirectWays.TCP).orElse(null);
    Carried coded = transfer.share(DirectWays.CODED).orElse(null);
    Carried relayed = transfer.share(RelayedWay.NAME).orElse(null);
    Chain used = relayed == null ? null : chain;
    long besides = bytes(direct) + bytes(coded);
    boolean relays = relayed != null && relayed.bytes() > besides;
    return new Result(
        sent,
        plan,
        used,
        relays,
        why(direct != null, relayed, relays),
        direct,
        coded,
        Share.of(relayed, severalRoutes ? null : used));
  }

  private static long bytes(@Nullable Carried share) {
    return share == null ? 0 : share.bytes();
  }

  private String why(boolean direct, @Nullable Carried relayed, boolean relays) {
    if (!direct) {
      return "the destination was not reached directly";
    }
    if (relayed == null) {
      return plan == null ? "sent before there was a plan" : plan.summary();
    }
    return "both ways carried it, %s the larger part"
        .formatted(relays ? "relays" : "the direct way");
  }
}
