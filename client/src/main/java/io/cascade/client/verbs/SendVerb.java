package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.api.orchestrator.TransferLimit;
import io.cascade.client.measure.ConnectionAccount;
import io.cascade.client.terminal.PlanSummary;
import io.cascade.client.terminal.PlanText;
import io.cascade.client.terminal.ProgressLine;
import io.cascade.client.terminal.SetupText;
import io.cascade.client.transfer.Connections;
import io.cascade.client.transfer.FileSender;
import io.cascade.client.transfer.FileTransfer;
import io.cascade.client.transfer.RawSender;
import io.cascade.client.transfer.Sent;
import io.cascade.client.transfer.TransferFailed;
import io.cascade.client.transfer.TransferHeader;
import io.cascade.client.transfer.TransferListener;
import io.cascade.command.Complaint;
import io.cascade.contract.PlanRequestBuilder;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "send",
    mixinStandardHelpOptions = true,
    customSynopsis = "cascade send FILE --to HOST:PORT [OPTIONS]",
    description = {
      "Send a file, or what comes on stdin, to a ./cascade receive and wait for its verdict.",
      "A file goes directly at once. Unless the plan rules relays out, it goes through relays as well:",
      "both ways share it, each as much as it carries, until all has arrived.",
      "What is piped in is planned first, and goes one way."
    },
    footer = {
      "",
      "Examples:",
      "  cascade send backup.tar --to files.example.org:9000",
      "  cascade send backup.tar --to files.example.org:9000 --via den,sea",
      "  tar c photos | cascade send - --to files.example.org:9000 --name photos.tar"
    })
public final class SendVerb implements Callable<Integer> {
  private static final String STDIN = "-";

  @Mixin private PathOptions path = new PathOptions();
  @Mixin private ChainShape shape = new ChainShape();
  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @Parameters(paramLabel = "FILE", description = "The file to send; - is stdin.")
  private String file = STDIN;

  @SuppressWarnings("NullAway.Init")
  @Option(
      names = "--to",
      required = true,
      paramLabel = "HOST:PORT",
      converter = HostPortConverter.class,
      description = "Where the receiver listens.")
  private HostPort to;

  @ArgGroup private @Nullable Way way;

  @Option(
      names = "--raw",
      description = "Send nothing but the bytes, to any TCP server. Nobody verifies them then.")
  private boolean raw;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "What the receiver calls the file (its own name).")
  private @Nullable String name;

  @Option(
      names = "--progress",
      negatable = true,
      description = "Draw a progress bar (where stderr is a terminal).")
  private @Nullable Boolean progress;

  @Option(
      names = "--stall-timeout",
      paramLabel = "SECONDS",
      defaultValue = "300",
      description = "Give up when not a byte moved for so long (${DEFAULT-VALUE}).")
  private int stallTimeout = 300;

  @Override
  public Integer call() throws Exception {
    long startNanos = System.nanoTime();
    try (ReadableByteChannel content = content()) {
      TransferHeader header = header(content);
      boolean direct = way != null && way.direct;
      if (direct && !path.via().isEmpty()) {
        throw new Complaint("--direct goes through no relay: leave --via away");
      }
      if (direct && shape.options() != null) {
        throw new Complaint(
            "--direct goes through no relay: leave away what relays are to do (--security,"
                + " --congestion-control and the like)");
      }
      SendReport sent =
          direct ? overDirect("asked for", null, header, content) : overWhatPays(header, content);
      SendReport report = sent.in(Duration.ofNanos(System.nanoTime() - startNanos));
      print(report);
      if (!direct && report.verified()) {
        tell(report);
      }
      return 0;
    }
  }

  /** What arrived each way; where everything went one way, at the transfer's own rate. */
  private void tell(SendReport report) {
    TransferReports reports = new TransferReports(orchestrator.client(), to, output);
    SendReport.Share overDirect = report.direct();
    SendReport.Share overRelays = report.relayed();
    if (overDirect == null || overRelays == null) {
      reports.report(report.relays(), report.bytes(), report.bitsPerSecond(), report.account());
      return;
    }
    boolean shared = ConnectionAccount.shareAQueue(overDirect.account(), overRelays.account());
    for (SendReport.Share share : List.of(overDirect, overRelays)) {
      TransferAccount account = share.account();
      reports.report(
          share.relays(),
          share.bytes(),
          share.bitsPerSecond(),
          shared && account != null
              ? ConnectionAccount.limitedBy(account, TransferLimit.SHARED_QUEUE)
              : account);
    }
  }

  private SendReport overWhatPays(TransferHeader header, ReadableByteChannel content)
      throws Exception {
    OrchestratorClient client = orchestrator.client();
    Long bytes = header.sizeKnown() && header.size() > 0 ? header.size() : null;
    if (!path.via().isEmpty()) {
      return overCascade(client, null, bytes, "asked for", header, content);
    }
    boolean forced = way != null && way.cascade;
    boolean shaped = shape.options() != null;
    if (!forced && !shaped && !raw && bytes != null && content instanceof FileChannel) {
      return overBoth(client, bytes, header, content);
    }
    Source source;
    Plan plan;
    try {
      source = path.source(client, to, output);
      plan = client.plan(question(bytes, source, PathOptions.MEASURE_SECONDS, false));
    } catch (UnreachableException e) {
      throw new Complaint(
          e.getMessage()
              + ". Start an orchestrator with ./cascade orchestrator, name yours with"
              + " --orchestrator URL, or send without one: --direct",
          e);
    }
    output.note("plan: " + PlanSummary.of(plan, Instant.now()));
    if (shaped && !forced) {
      output.note("through relays, for only they do what was asked for; --direct does without");
    }
    if (plan.decision() == Decision.CASCADE || forced || shaped) {
      String why =
          plan.decision() == Decision.CASCADE ? plan.summary() : "asked for; " + plan.summary();
      return overCascade(client, source, bytes, why, header, content);
    }
    return overDirect(
        plan.summary(), PlanText.candidate(plan, CandidateKind.DIRECT, List.of()), header, content);
  }

  private PlanRequest question(
      @Nullable Long bytes, @Nullable Source source, double measureSeconds, boolean trial) {
    return PlanRequestBuilder.to(to.toString())
        .bytes(bytes)
        .source(source)
        .avoid(path.avoidOrNull())
        .maxRelays(path.maxRelays())
        .measureSeconds(measureSeconds)
        .controls(path.controlsOrNull())
        .trial(trial)
        .build();
  }

  /**
   * @param trial whether everything goes directly as well
   */
  private ChainRequest chain(
      String name, @Nullable Long bytes, @Nullable Source source, boolean trial) {
    return new ChainRequest(
        to.toString(),
        name,
        path.viaOrNull(),
        path.avoidOrNull(),
        path.maxRelays(),
        bytes,
        source,
        null,
        null,
        null,
        null,
        shape.options(),
        path.via().isEmpty() || path.controlsOrNull() != null
            ? question(bytes, source, 0, trial)
            : null,
        BorrowedChain.TIME_TO_LIVE_SECONDS,
        null,
        null,
        null);
  }

  /** Directly and through relays. */
  private SendReport overBoth(
      OrchestratorClient client, long bytes, TransferHeader header, ReadableByteChannel content)
      throws TransferFailed {
    SharedSend.Questions questions =
        new SharedSend.Questions() {
          private @Nullable Source source;

          @Override
          public Plan plan() throws InterruptedException {
            Thread.startVirtualThread(this::haveRelaysLook);
            source = path.quickSource(client, to, output);
            return client.plan(question(bytes, source, 0, true));
          }

          // Relays look at the destination while this host does; the plan then finds it done.
          private void haveRelaysLook() {
            try {
              Plan _ = client.plan(question(bytes, null, 0, true));
            } catch (UnreachableException | ProblemException e) {
              // The plan proper will say so.
            }
          }

          @Override
          public ChainRequest chain(String name) {
            return SendVerb.this.chain(name, bytes, source, true);
          }
        };
    try (FileTransfer transfer =
        new FileTransfer(
            header,
            content,
            Duration.ofSeconds(stallTimeout),
            ProgressLine.of(header.safeName(), progress))) {
      return SendReport.of(new SharedSend(client, questions, to, transfer, output).send());
    }
  }

  private SendReport overDirect(
      String why, @Nullable Candidate predicted, TransferHeader header, ReadableByteChannel content)
      throws TransferFailed {
    output.note("sending directly to " + to);
    return SendReport.of(
        "DIRECT", List.of(), why, transfer(to, header, content), null, null, predicted, !raw);
  }

  private SendReport overCascade(
      OrchestratorClient client,
      @Nullable Source source,
      @Nullable Long bytes,
      String why,
      TransferHeader header,
      ReadableByteChannel content)
      throws Exception {
    return BorrowedChain.with(
        client,
        "send",
        chainName -> chain(chainName, bytes, source, false),
        chain -> {
          HostPort ingress = OpenVerb.ingress(chain);
          output.note(
              "sending to %s through %s via %s"
                  .formatted(to, ingress, String.join(", ", chain.relays())));
          if (chain.setup() != null) {
            output.note(SetupText.summary(chain.setup()));
          }
          Plan plan = chain.plan();
          Candidate predicted =
              plan == null ? null : PlanText.candidate(plan, CandidateKind.CASCADE, chain.relays());
          return SendReport.of(
              "CASCADE",
              chain.relays(),
              why,
              transfer(ingress, header, content),
              chain,
              chain.setup(),
              predicted,
              !raw);
        });
  }

  private Sent transfer(HostPort peer, TransferHeader header, ReadableByteChannel content)
      throws TransferFailed {
    TransferListener listener = ProgressLine.of(header.safeName(), progress);
    Duration patience = Duration.ofSeconds(stallTimeout);
    SocketChannel connection = Connections.connect(peer, Duration.ofSeconds(15));
    return raw
        ? new RawSender(connection, patience, listener).send(header, content)
        : new FileSender(connection, patience, listener).send(header, content);
  }

  private ReadableByteChannel content() {
    if (file.equals(STDIN)) {
      return new FileInputStream(FileDescriptor.in).getChannel();
    }
    Path source = Path.of(file);
    if (Files.isDirectory(source)) {
      throw new Complaint(file + " is a folder: send an archive of it, tar c … | ./cascade send -");
    }
    try {
      return FileChannel.open(source);
    } catch (IOException e) {
      throw new Complaint(file + (Files.exists(source) ? ": cannot be read" : ": no such file"), e);
    }
  }

  private TransferHeader header(ReadableByteChannel content) throws IOException {
    boolean regular =
        !file.equals(STDIN) && Files.isRegularFile(Path.of(file)) && content instanceof FileChannel;
    long size = regular ? ((FileChannel) content).size() : TransferHeader.UNKNOWN_SIZE;
    String called = name != null ? name : file.equals(STDIN) ? "stdin" : fileName(file);
    try {
      return new TransferHeader(called, size);
    } catch (IllegalArgumentException e) {
      throw new Complaint("--name: " + e.getMessage(), e);
    }
  }

  private static String fileName(String file) {
    Path last = Path.of(file).getFileName();
    return last == null ? file : last.toString();
  }

  private void print(SendReport report) {
    if (output.json()) {
      output.document(report);
      return;
    }
    report.lines().forEach(output.out()::println);
    output.out().flush();
  }

  /** Exclusive. */
  static final class Way {
    @Option(names = "--direct", description = "Through no relay; needs no orchestrator.")
    private boolean direct;

    @Option(
        names = "--cascade",
        description = "Through the best relays, even where that is not expected to pay.")
    private boolean cascade;
  }
}
