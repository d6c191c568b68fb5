package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.Source;
import io.cascade.client.sending.SentContent;
import io.cascade.client.terminal.PlanSummary;
import io.cascade.client.terminal.PlanText;
import io.cascade.client.terminal.SetupText;
import io.cascade.client.transfer.FileTransfer;
import io.cascade.client.transfer.Sent;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.ways.Chains;
import io.cascade.client.ways.DirectWays;
import io.cascade.client.ways.Recipient;
import io.cascade.client.ways.RelayedWay;
import io.cascade.client.ways.Share;
import io.cascade.client.ways.SharedSend;
import io.cascade.client.ways.TemporaryChain;
import io.cascade.client.ways.TransferReports;
import io.cascade.command.StopHook;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Sends one content by the chosen way, and reports the results to the orchestrator. */
final class SendWays {
  /** Time to tell a receiver that its sender cancelled. */
  private static final Duration LAST_WORDS = Duration.ofMillis(500);

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(15);

  private final Recipient to;
  private final SendQuestions questions;
  private final OrchestratorOption orchestrator;
  private final Asked asked;
  private final TransferOutput output;

  /** Null until needed. */
  private @Nullable OrchestratorClient client;

  /** Both ways, whose chain is closed while the result is printed and reported. */
  private @Nullable SharedSend shared;

  /** The plan that was shown to the user; null while there is none. */
  private @Nullable Plan shown;

  /** The latest plan of the transfer; null while there is none. */
  private @Nullable Plan latest;

  /**
   * What the options requested.
   *
   * @param raw the bytes without a protocol
   * @param direct without relays
   * @param relaysNamed through these relays and no others
   * @param pipes over several pipes: plans are made for single connections, and do not use the
   *     results
   * @param changesControl connections may use another congestion control than the host's default
   */
  record Asked(
      boolean raw, boolean direct, boolean relaysNamed, boolean pipes, boolean changesControl) {}

  SendWays(
      Recipient to,
      SendQuestions questions,
      OrchestratorOption orchestrator,
      Asked asked,
      TransferOutput output) {
    this.to = to;
    this.questions = questions;
    this.orchestrator = orchestrator;
    this.asked = asked;
    this.output = output;
  }

  SendReport send(SentContent content, SendWay way) throws Exception {
    return switch (way) {
      case SendWay.Direct(String why, Plan plan) -> {
        shown = plan;
        latest = plan;
        yield directly(why, content);
      }
      case SendWay.Relayed(String why, Plan plan, Source source) -> {
        shown = plan;
        latest = plan;
        yield relayed(why, source, content);
      }
      case SendWay.Both() ->
          shared(questions.measured(client(), content.bytes(), output), content.lasting());
      case SendWay.BothOfStream(Plan plan, Source source) ->
          shared(
              SharedSend.Questions.of(plan, name -> questions.chain(name, null, source, true)),
              content.once());
    };
  }

  /** The client of all calls of this object, so that they share a connection. */
  OrchestratorClient client() {
    OrchestratorClient known = client;
    if (known == null) {
      known = orchestrator.client();
      client = known;
    }
    return known;
  }

  /** The latest plan of the transfer; null where there is none. */
  @Nullable Plan latestPlan() {
    return latest;
  }

  /** Reports the results of a transfer to the orchestrator, and waits until its chain is closed. */
  void tell(SendReport report) {
    SharedSend sent = shared;
    boolean isHeard =
        asked.direct() ? orchestrator.isKnown() : sent == null || !sent.isWithoutOrchestrator();
    Runnable told =
        report.verified() && !asked.pipes() && !to.isMet() && isHeard
            ? reports(asked.direct()).tell(report.direct(), report.relayed(), report.whole())
            : () -> {};
    if (sent != null) {
      sent.awaitChainClosed();
    }
    told.run();
  }

  /**
   * @param quietly whether a missing orchestrator is not mentioned, since none is needed
   */
  private TransferReports reports(boolean quietly) {
    return new TransferReports(
        client(),
        to.at(),
        line -> {
          if (!quietly) {
            output.note(line);
          }
        });
  }

  /**
   * Reports the results of a transfer that its user cancelled, in the time that a signal leaves.
   */
  private void tellBroken(FileTransfer transfer, @Nullable Chain chain) {
    if (!asked.pipes() && orchestrator.isAllowed()) {
      reports(true).broken(transfer, chain);
    }
  }

  private SendReport shared(SharedSend.Questions asking, FileTransfer of) throws TransferFailed {
    try (FileTransfer transfer = of) {
      SharedSend send =
          new SharedSend(client(), asking, to, transfer, asked.changesControl(), output::note);
      shared = send;
      Runnable stop =
          () -> {
            transfer.abandon(LAST_WORDS);
            tellBroken(transfer, send.chain());
          };
      try (StopHook _ = StopHook.install(stop)) {
        SharedSend.Result result = send.send();
        latest = result.latestPlan();
        return SendReport.of(result);
      }
    }
  }

  private SendReport directly(String why, SentContent content) throws TransferFailed {
    Plan plan = shown;
    Candidate predicted =
        plan == null ? null : PlanText.candidate(plan, CandidateKind.DIRECT, List.of());
    if (!asked.raw() && content.canBeShared()) {
      return byDirectWays(why, predicted, content);
    }
    output.note("sending " + to.way());
    TcpConnection connection = to.connect(CONNECT_TIMEOUT, asked.changesControl());
    return Rendezvous.routed(to, why, transfer(connection, content), predicted, !asked.raw());
  }

  /** Sends files by every direct way. */
  private SendReport byDirectWays(String why, @Nullable Candidate predicted, SentContent content)
      throws TransferFailed {
    try (FileTransfer transfer = content.lasting();
        DirectWays ways = new DirectWays(to, transfer, asked.changesControl(), output::note);
        StopHook _ = StopHook.install(() -> transfer.abandon(LAST_WORDS))) {
      ways.start();
      output.note("sending " + to.way());
      Sent sent = transfer.await();
      return Rendezvous.routed(to, why, sent, predicted, true)
          .carried(Share.of(transfer, DirectWays.TCP), Share.of(transfer, DirectWays.CODED), null);
    }
  }

  private SendReport relayed(String why, @Nullable Source source, SentContent content)
      throws Exception {
    if (!asked.raw() && content.mayChangeConnections()) {
      return byRelaysAlone(why, source, content);
    }
    return TemporaryChain.with(
        client(),
        "send",
        chainName -> questions.chain(chainName, content.bytes(), source, false),
        chain -> {
          say(chain);
          TcpConnection connection =
              TcpConnection.connect(Chains.ingress(chain), CONNECT_TIMEOUT, asked.changesControl());
          return report(chain, why, transfer(connection, content));
        });
  }

  /**
   * Sends a file or entries through relays alone: a file outlives the failure of its connection and
   * the chain's end.
   */
  private SendReport byRelaysAlone(String why, @Nullable Source source, SentContent content)
      throws Exception {
    AtomicReference<@Nullable Chain> last = new AtomicReference<>();
    try (FileTransfer transfer = content.lasting();
        StopHook _ =
            StopHook.install(() -> {
              transfer.abandon(LAST_WORDS);
              tellBroken(transfer, last.get());
            })) {
      RelayedWay way =
          new RelayedWay(
              client(),
              to,
              transfer,
              chainName -> questions.chain(chainName, content.bytes(), source, false),
              asked.relaysNamed(),
              asked.changesControl(),
              chain -> {
                Chain before = last.getAndSet(chain);
                if (before == null || !before.id().equals(chain.id())) {
                  say(chain);
                }
              },
              output::note);
      way.runAlone();
      Sent sent = transfer.await();
      return report(Objects.requireNonNull(last.get()), why, sent);
    }
  }

  private void say(Chain chain) {
    output.note(
        "sending to %s through %s via %s"
                .formatted(to, Chains.ingress(chain), String.join(", ", chain.relays()))
            + PlanSummary.otherwise(asked.pipes() ? null : shown, chain.relays()));
    if (chain.setup() != null) {
      output.note(SetupText.summary(chain.setup()));
    }
  }

  private SendReport report(Chain chain, String why, Sent sent) {
    Plan plan = chain.plan();
    latest = plan == null ? latest : plan;
    Candidate predicted =
        plan == null ? null : PlanText.candidate(plan, CandidateKind.CASCADE, chain.relays());
    return SendReport.of(
        "CASCADE", chain.relays(), why, sent, chain, chain.setup(), predicted, !asked.raw());
  }

  private Sent transfer(TcpConnection connection, SentContent content) throws TransferFailed {
    return asked.raw() ? content.sendRaw(connection) : content.send(to.over(connection));
  }
}
