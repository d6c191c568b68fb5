package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.Source;
import io.cascade.carriage.transport.LossResponse;
import io.cascade.client.sending.SentContent;
import io.cascade.client.sending.SentEntries;
import io.cascade.client.terminal.PlanSummary;
import io.cascade.client.terminal.ProgressLine;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.connection.RateLimit;
import io.cascade.client.transfer.wire.TransferHeader;
import io.cascade.client.ways.ProgressReports;
import io.cascade.client.ways.Recipient;
import io.cascade.client.ways.RepeatedTransfer;
import io.cascade.client.ways.SharedSend;
import io.cascade.command.BitRate;
import io.cascade.command.CommandException;
import io.cascade.command.FirstOptions;
import io.cascade.command.FixHint;
import io.cascade.command.Printable;
import io.cascade.command.StopHook;
import io.cascade.command.TimeSpan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@FirstOptions({"--to", "--key-file", "--direct", "--via", "--limit", "--orchestrator"})
@Command(
    name = "send",
    mixinStandardHelpOptions = true,
    customSynopsis = {
      "cascade send FILE… CODE [OPTIONS]",
      "       cascade send FILE… --to HOST:PORT [--key-file FILE] [OPTIONS]"
    },
    description = {
      "Send files, folders or stdin to a ./cascade receive and wait for its confirmation.",
      "With the code that receive printed, or a shared key, neither relays nor on-path attackers"
          + " can read or change a byte.",
      "A file is sent directly at once. If the plan is certain that relays are better, they take"
          + " over; if it is undecided, both ways share the file, each as much as it can carry,"
          + " until all has arrived.",
      "Piped input is planned first and takes one way, or both if the plan is undecided."
    },
    footer = {
      "",
      "Examples:",
      "  cascade send backup.tar files.example.org:7420/4f7k-q2mz",
      "  cascade send photos/ notes.txt files.example.org:7420/4f7k-q2mz --exclude '*.tmp'",
      "  cascade send backup.tar files.example.org:7420/4f7k-q2mz --via den,sea --parallel 4",
      "  tar c photos | cascade send - files.example.org:7420/4f7k-q2mz --name photos.tar",
      "  cascade send backup.tar --to files.example.org:9000 --key-file key",
      "  cascade send backup.tar den.example.org:7414/m7q2x9d4kp-4f7k-q2mz   # both behind NAT"
    })
public final class SendVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Mixin private PathOptions path = new PathOptions();
  @Mixin private ChainShape shape = new ChainShape();
  @Mixin private PipeCount pipes = new PipeCount();
  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private TransferOutput output = new TransferOutput();

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description =
          "The files and folders to send, - alone for stdin, followed by the CODE that ./cascade"
              + " receive printed: HOST:PORT/SECRET or RELAY:PORT/NAME-SECRET.")
  private List<String> arguments = List.of();

  @Mixin private RecipientOptions recipient = new RecipientOptions();

  @SuppressWarnings("NullAway.Init") // Determined before use.
  private Recipient to;

  @ArgGroup private @Nullable WayOption way;

  @Option(names = "--raw", description = "Send only the bytes, unverified, to any TCP server.")
  private boolean raw;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Give the file this name at the receiver (default: its own name).")
  private @Nullable String name;

  @Option(
      names = "--exclude",
      paramLabel = "GLOB",
      description =
          "In folders, skip files and folders with this name, or with this path if it contains a"
              + " slash: '*.o', 'build/'. Repeatable.")
  private List<String> excluded = List.of();

  @Option(
      names = "--progress",
      negatable = true,
      description = "Draw a progress bar (default: if stderr is a terminal).")
  private @Nullable Boolean progress;

  @Option(
      names = "--stall-timeout",
      paramLabel = "SECONDS",
      defaultValue = "300",
      description =
          "Give up a transfer when no byte moves for this long (default: ${DEFAULT-VALUE}).")
  private int stallTimeout = 300;

  @Option(
      names = "--retry-for",
      paramLabel = "DURATION",
      converter = TimeSpan.Converter.class,
      description =
          "Keep retrying for this long when no data arrives, such as 2d (default: --stall-timeout)."
              + " A first connection that fails is retried only with this option.")
  private @Nullable TimeSpan retryFor;

  @Option(
      names = "--limit",
      paramLabel = "RATE",
      converter = BitRate.Converter.class,
      description = "Send at most at this rate, over all ways together, such as 20Mbit.")
  private @Nullable BitRate limit;

  /** Null where the transfer is not reported to a program. */
  private @Nullable TransferEvents events;

  @Override
  public Integer call() throws Exception {
    if (!output.events()) {
      return send();
    }
    try (TransferEvents told = new TransferEvents(output::documentLine)) {
      events = told;
      try {
        return send();
      } catch (Exception e) {
        told.failed(Printable.line(String.valueOf(e.getMessage())));
        throw e;
      }
    }
  }

  private int send() throws Exception {
    pipes.check();
    to = recipient.recipient(arguments);
    List<String> files = recipient.files(arguments);
    if (raw && !to.inClear()) {
      throw new CommandException(
          "--raw sends only the bytes, in clear; fix: leave out --raw, or give --to HOST:PORT"
              + " alone");
    }
    boolean direct = to.isMet() || (way != null && way.direct());
    boolean shaped = shape.options() != null || pipes.isGiven();
    if (to.isMet()) {
      Rendezvous.refuseOtherWays(spec, shaped);
    } else if (direct) {
      UnusedOptions.refuseBesideDirect(spec, !path.via().isEmpty(), shaped);
    }
    boolean isShown = !to.isMet() && (!direct || orchestrator.isKnown());
    try (ProgressReports told =
            new ProgressReports(isShown ? orchestrator.client() : null, to.at());
        StopHook _ = StopHook.install(told::close)) {
      return send(files, direct, told);
    }
  }

  private int send(List<String> files, boolean direct, ProgressReports told) throws Exception {
    boolean areEntries = areEntries(files);
    long startNanos = System.nanoTime();
    SentContent.Manners manners =
        new SentContent.Manners(
            Duration.ofSeconds(stallTimeout),
            retryFor == null ? null : Duration.ofMillis(Math.round(retryFor.seconds() * 1_000)),
            header -> told.of(header, listener(header)),
            limit == null ? RateLimit.NONE : RateLimit.of(limit.bitsPerSecond()),
            to);
    if (!areEntries) {
      return send(SentContent.ofFile(files.getFirst(), name, manners), direct, startNanos, told);
    }
    return new RepeatedTransfer(manners.retry(), output::note)
        .run(left ->
            send(
                SentContent.ofEntries(
                    SentEntries.open(files, excluded, output::note), manners.retryingFor(left)),
                direct,
                startNanos,
                told));
  }

  /**
   * Whether the arguments are sent as entries: several files, or a folder.
   *
   * @throws ParameterException where options conflict with that
   */
  private boolean areEntries(List<String> files) {
    boolean entries = files.size() > 1 || SentEntries.isFolder(files.getFirst());
    if (entries) {
      UnusedOptions.refuse(
          spec,
          "a folder or several files",
          "they go under their names, as one stream",
          List.of("--name", "--raw"));
    } else {
      UnusedOptions.refuse(spec, "one file", "it is not a folder", List.of("--exclude"));
    }
    return entries;
  }

  private int send(SentContent sending, boolean direct, long startNanos, ProgressReports progressed)
      throws Exception {
    try (SentContent content = sending) {
      SendWays ways =
          new SendWays(
              to,
              questions(),
              orchestrator,
              new SendWays.Asked(
                  raw, direct, !path.via().isEmpty(), pipes.isGiven(), changesControl()),
              output);
      SendWay chosen = direct ? new SendWay.Direct("asked for", null) : choose(content, ways);
      SendReport sent = ways.send(content, chosen);
      if (content.isWhole()) {
        progressed.arrived();
      }
      SendReport report = sent.in(Duration.ofNanos(System.nanoTime() - startNanos));
      print(report, ways.latestPlan());
      ways.tell(report);
      return content.isWhole() ? 0 : 1;
    }
  }

  /** Chooses by the options, by the content, and if those leave it open by a plan. */
  private SendWay choose(SentContent content, SendWays ways) throws InterruptedException {
    if (!path.via().isEmpty()) {
      return new SendWay.Relayed("asked for", null, null);
    }
    boolean forced = way != null && way.cascade();
    boolean shaped = shape.needsRelays() || pipes.isGiven();
    if (!forced && !shaped && !raw && content.canBegin()) {
      return new SendWay.Both();
    }
    Long bytes = content.bytes();
    boolean small = bytes != null && bytes < SharedSend.LEAST_PLANNED_BYTES;
    Source source;
    Plan plan;
    try {
      OrchestratorClient client = ways.client();
      // A small file is sent through relays only if it must be, however quick the direct way is.
      source =
          small
              ? path.quickSource(client, forced || shaped ? null : to.at(), output)
              : path.source(client, to.at(), output);
      double measureSeconds = small ? 0 : PathOptions.MEASURE_SECONDS;
      plan = client.plan(questions().plan(bytes, source, measureSeconds, false));
    } catch (UnreachableException e) {
      if (e.isAboutLeading()) {
        throw e;
      }
      throw new CommandException(
          FixHint.added(
              String.valueOf(e.getMessage()),
              "start an orchestrator with ./cascade orchestrator, name yours with --orchestrator"
                  + " URL, or send without one: --direct"),
          e);
    }
    boolean undecided = plan.decision() == Decision.UNDECIDED && !forced && !shaped;
    if (undecided && !raw && plan.relays() != null && !plan.relays().isEmpty()) {
      return new SendWay.BothOfStream(plan, source);
    }
    output.note("plan: " + PlanSummary.of(plan, Instant.now()));
    if (undecided && raw) {
      output.note(
          "--raw uses the direct way only, since only a cascade receive can join the bytes of two"
              + " ways; to find out which is faster: ./cascade plan --to "
              + to
              + " --test, or --cascade to try relays");
    }
    if (shaped && !forced) {
      output.note(
          "through relays, since only they support the given options; --direct sends without them");
    }
    if (plan.decision() == Decision.CASCADE) {
      return new SendWay.Relayed(plan.summary(), plan, source);
    }
    return forced || shaped
        ? new SendWay.Relayed("asked for; " + plan.summary(), plan, source)
        : new SendWay.Direct(plan.summary(), plan);
  }

  private SendQuestions questions() {
    return new SendQuestions(path, shape, pipes, to);
  }

  private TransferListener listener(TransferHeader header) {
    TransferEvents told = events;
    return told == null
        ? new StandstillNote(ProgressLine.of(header.name(), progress), output::note)
        : told.sending(header);
  }

  private boolean changesControl() {
    return path.mayUse(LossResponse.CONTROL);
  }

  private void print(SendReport report, @Nullable Plan latest) throws InterruptedException {
    TransferEvents told = events;
    if (told != null) {
      told.sent(report);
      return;
    }
    if (output.json()) {
      output.document(report);
      return;
    }
    report.lines().forEach(output.out()::println);
    if (limit == null) {
      new SendRemark(report, latest, changesControl()).sentence().ifPresent(output.out()::println);
    }
    output.out().flush();
  }
}
