package io.cascade.client.api;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import io.cascade.client.entries.EntryListener;
import io.cascade.client.entries.EntryWalk;
import io.cascade.client.entries.Exclusions;
import io.cascade.client.entries.FolderStream;
import io.cascade.client.entries.Troubles;
import io.cascade.client.transfer.FileName;
import io.cascade.client.transfer.FileTransfer;
import io.cascade.client.transfer.Original;
import io.cascade.client.transfer.Sent;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.connection.RateLimit;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.wire.TransferHeader;
import io.cascade.client.ways.DirectWays;
import io.cascade.client.ways.MeasuredQuestions;
import io.cascade.client.ways.OwnPaths;
import io.cascade.client.ways.ProgressReports;
import io.cascade.client.ways.Recipient;
import io.cascade.client.ways.RepeatedTransfer;
import io.cascade.client.ways.Share;
import io.cascade.client.ways.SharedSend;
import io.cascade.client.ways.TemporaryChain;
import io.cascade.client.ways.TransferReports;
import io.cascade.kernel.settings.KernelSettings;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends files and folders to a {@link Receiver} or a {@code ./cascade receive}, encrypted, over TCP
 * and coded sessions at once, or through the relay that a code names. Immutable and thread-safe: a
 * sender may send several files concurrently.
 *
 * <p>The transfer of a file continues by itself when a connection fails; that of a folder continues
 * after the last connection failed where the sender is {@link #retryingFor retrying}. If the
 * process ends before everything has arrived, sending the same file or folder again resumes from
 * what the receiver has.
 */
public final class Sender {
  private static final Duration USUAL_PATIENCE = Duration.ofMinutes(5);

  /** Time for the message to the receiver that a transfer was cancelled. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  /** Most entries that a message names. */
  private static final int MOST_NAMED = 3;

  private final Recipient to;
  private final Duration patience;

  /** Null for the time-out; a first connection that cannot be made then fails the transfer. */
  private final @Nullable Duration retryFor;

  private final long mostBitsPerSecond;
  private final TransferListener listener;
  private final @Nullable OrchestratorClient orchestrator;

  private Sender(
      Recipient to,
      Duration patience,
      @Nullable Duration retryFor,
      long mostBitsPerSecond,
      TransferListener listener,
      @Nullable OrchestratorClient orchestrator) {
    this.to = to;
    this.patience = patience;
    this.retryFor = retryFor;
    this.mostBitsPerSecond = mostBitsPerSecond;
    this.listener = listener;
    this.orchestrator = orchestrator;
  }

  private Sender(Recipient to) {
    this(to, USUAL_PATIENCE, null, Long.MAX_VALUE, TransferListener.SILENT, null);
  }

  /**
   * Sends to the receiver that made a code.
   *
   * @param code {@code HOST:PORT/SECRET} of a receiver that listens, {@code RELAY:PORT/NAME-SECRET}
   *     of a receiver that waits at a relay; case and dashes of the secret do not matter
   * @throws IllegalArgumentException where the code is malformed; the message names the fault and
   *     shows an example of a code
   */
  public static Sender toCode(String code) {
    return new Sender(Recipient.ofCode(code));
  }

  /**
   * Sends to a receiver that listens and has the same key.
   *
   * @param key at least {@value Checked#LEAST_KEY_BYTES} random bytes
   * @throws IllegalArgumentException where it has fewer
   */
  public static Sender toKey(HostPort receiver, byte[] key) {
    return new Sender(Recipient.ofKey(receiver, Checked.key(key)));
  }

  /**
   * Sends to a receiver that has the same key and waits at a relay.
   *
   * @param relay the relay's address for meetings of ends, by default its port 7414
   * @param key at least {@value Checked#LEAST_KEY_BYTES} random bytes
   * @throws IllegalArgumentException where it has fewer
   */
  public static Sender toKeyThrough(HostPort relay, byte[] key) {
    return new Sender(Recipient.metByKey(relay, Checked.key(key)));
  }

  /**
   * Returns the same sender with a listener of its transfers; by default it has none.
   *
   * @param progress called on threads that move bytes: must not block
   */
  public Sender heardBy(TransferListener progress) {
    return new Sender(to, patience, retryFor, mostBitsPerSecond, progress, orchestrator);
  }

  /**
   * Returns the same sender with a time-out other than five minutes.
   *
   * @param longest how long nothing may arrive before a transfer fails; less than 20 s counts as 20
   *     s
   * @throws IllegalArgumentException where it is not positive
   */
  public Sender waiting(Duration longest) {
    return new Sender(
        to, Checked.patience(longest), retryFor, mostBitsPerSecond, listener, orchestrator);
  }

  /**
   * Returns the same sender that retries for so long while nothing arrives, even if the receiver
   * does not listen yet; by default a transfer fails where its first connection cannot be made.
   *
   * @param longest less than 20 s counts as 20 s
   * @throws IllegalArgumentException where it is not positive
   */
  public Sender retryingFor(Duration longest) {
    return new Sender(
        to, patience, Checked.patience(longest), mostBitsPerSecond, listener, orchestrator);
  }

  /**
   * Returns the same sender with a rate limit for all connections of one transfer together; by
   * default there is none.
   *
   * @param bitsPerSecond at least 1
   * @throws IllegalArgumentException where it is less
   */
  public Sender limitedTo(long bitsPerSecond) {
    if (bitsPerSecond < 1) {
      throw new IllegalArgumentException(
          "bitsPerSecond: " + bitsPerSecond + " (expected: at least 1)");
    }
    return new Sender(to, patience, retryFor, bitsPerSecond, listener, orchestrator);
  }

  /**
   * Returns the same sender that also sends through an orchestrator's relays: at once if the
   * orchestrator has stored measurements of the path, else once the plan does not rule the relays
   * out. For that this host measures its paths, and reports to the orchestrator the progress of a
   * transfer and the bytes of each way. The orchestrator is not used for a receiver that waits at a
   * relay; if it does not answer, the transfer uses the direct way alone.
   *
   * <p>While a chain is open, a shutdown hook of the virtual machine is registered to close it.
   */
  public Sender planningWith(OrchestratorClient client) {
    return new Sender(to, patience, retryFor, mostBitsPerSecond, listener, client);
  }

  /**
   * Sends a file or a folder under its own name, with modification times and permissions. Blocks
   * until the receiver has confirmed the SHA-256 of everything that was sent. Interrupting the
   * thread cancels the transfer: the receiver is told, and keeps what has arrived.
   *
   * @param file a regular file, which must not change during the transfer, or a folder, of which
   *     only what the receiver lacks is sent
   * @return what was sent: of a folder, the stream of its entries
   * @throws NoSuchFileException where there is no such regular file or folder
   * @throws TransferFailed where the receiver does not hold the verified file: it was not reached,
   *     did not prove itself, refused, or nothing arrived before the time-out; or where the file
   *     changed, or its name is not allowed; or where the receiver holds a folder without some
   *     entries that could not be read, changed, or were refused there, which the message names
   * @throws IOException where the file cannot be read
   */
  public Sent send(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      return new RepeatedTransfer(retryFor, _ -> {}).run(left -> sendFolder(file, left));
    }
    if (!Files.isRegularFile(file)) {
      throw new NoSuchFileException(file.toString(), null, "not a regular file or folder");
    }
    try (FileChannel content = FileChannel.open(file)) {
      Original original = Original.of(file);
      TransferHeader header =
          to.introduce(
              new TransferHeader(name(file), content.size()).with(original.fields()).asResumable());
      try (ProgressReports told = progressReports()) {
        FileTransfer transfer =
            new FileTransfer(header, content, original, patience, told.of(header, listener));
        Sent sent = send(transfer, header.size(), retryFor);
        told.arrived();
        return sent;
      }
    }
  }

  private Sent sendFolder(Path folder, @Nullable Duration left) throws IOException {
    List<Path> sources = List.of(folder);
    TransferHeader header = to.introduce(Original.headerOfEntries(sources));
    try (FolderStream stream =
            new FolderStream(
                new EntryWalk(sources, Exclusions.NONE),
                new EntryWalk(sources, Exclusions.NONE),
                EntryListener.SILENT);
        ProgressReports told = progressReports()) {
      FileTransfer transfer =
          FileTransfer.ofStream(header, stream, patience, told.of(header, listener));
      Sent sent = send(transfer, header.size(), left);
      requireAll(stream.unread());
      told.arrived();
      return sent;
    }
  }

  private ProgressReports progressReports() {
    return new ProgressReports(to.isMet() ? null : orchestrator, to.at());
  }

  private static void requireAll(Troubles unread) throws TransferFailed {
    if (unread.count() > 0) {
      List<String> lines = unread.lines();
      throw new TransferFailed(
          "%d could not be sent as they are: %s; all others were sent"
              .formatted(
                  unread.count(),
                  String.join("; ", lines.subList(0, Math.min(lines.size(), MOST_NAMED)))));
    }
  }

  /**
   * @param retry how long nothing may arrive; null for the time-out
   */
  private Sent send(FileTransfer of, long size, @Nullable Duration retry) throws TransferFailed {
    OrchestratorClient planner = orchestrator;
    boolean interrupted = false;
    FileTransfer limited =
        mostBitsPerSecond == Long.MAX_VALUE ? of : of.limitedTo(RateLimit.of(mostBitsPerSecond));
    try (FileTransfer transfer = retry == null ? limited : limited.retryingFor(retry)) {
      try {
        return planner == null || to.isMet()
            ? directly(transfer)
            : throughRelaysAsWell(transfer, size, planner);
      } catch (TransferFailed e) {
        interrupted = Thread.interrupted();
        if (interrupted) { // Otherwise the receiver waits for another connection.
          transfer.abandon(LAST_WORDS);
        }
        throw e;
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Sent directly(FileTransfer transfer) throws TransferFailed {
    try (DirectWays ways = new DirectWays(to, transfer, true, _ -> {})) {
      ways.start();
      return transfer.await();
    }
  }

  private Sent throughRelaysAsWell(FileTransfer transfer, long size, OrchestratorClient planner)
      throws TransferFailed {
    MeasuredQuestions questions = new MeasuredQuestions(planner, new Wording(planner, size));
    SharedSend send = new SharedSend(planner, questions, to, transfer, true, _ -> {});
    SharedSend.Result result = send.send();
    new TransferReports(planner, to.at(), _ -> {})
        .shares(Share.of(result.direct(), null), result.relayed());
    send.awaitChainClosed();
    return result.sent();
  }

  /** The questions to the orchestrator. */
  private final class Wording implements MeasuredQuestions.Wording {
    private final OrchestratorClient planner;
    private final @Nullable Long bytes;

    Wording(OrchestratorClient planner, long size) {
      this.planner = planner;
      this.bytes = size > 0 ? size : null;
    }

    @Override
    public Source source() throws InterruptedException {
      OwnPaths paths = OwnPaths.to(to.at(), planner, _ -> true);
      return Source.builder()
          .observations(paths.measure(OwnPaths.quick(Integer.MAX_VALUE)))
          .congestionControl(KernelSettings.congestionControl())
          .build();
    }

    @Override
    public PlanRequest question(@Nullable Source source) {
      return PlanRequest.builder()
          .destination(to.toString())
          .bytes(bytes)
          .source(source)
          .measureSeconds(0.0)
          .trial(true)
          .build();
    }

    @Override
    public ChainRequest chain(String name, @Nullable Source source) {
      PlanRequest question = question(source);
      return TemporaryChain.asked(name, question).question(question).build();
    }
  }

  private static String name(Path file) throws TransferFailed {
    String name = String.valueOf(file.getFileName());
    String objection = FileName.objection(name);
    if (objection != null) {
      throw new TransferFailed(objection);
    }
    return name;
  }
}
