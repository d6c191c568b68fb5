package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.client.rendezvous.Meeting;
import io.cascade.client.rendezvous.WaitingLine;
import io.cascade.client.sealed.Code;
import io.cascade.client.sealed.KeptCode;
import io.cascade.client.sealed.ReceiverCodes;
import io.cascade.client.sealed.ReceiverIdentity;
import io.cascade.client.sealed.SealedReception;
import io.cascade.client.sealed.Secret;
import io.cascade.client.sealed.UnsealedReception;
import io.cascade.client.terminal.ProgressLine;
import io.cascade.client.transfer.Received;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.coded.CodedReception;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.receiver.ConnectionReceiver;
import io.cascade.client.transfer.receiver.FileReceiver;
import io.cascade.client.transfer.receiver.Outcome;
import io.cascade.client.transfer.receiver.OutputTarget;
import io.cascade.client.transfer.receiver.RawReceiver;
import io.cascade.client.transfer.receiver.ReceivingPort;
import io.cascade.client.ways.ReceiveAddress;
import io.cascade.command.CommandException;
import io.cascade.command.DataSize;
import io.cascade.command.FirstOptions;
import io.cascade.command.KeyFile;
import io.cascade.command.ListenFailure;
import io.cascade.command.Printable;
import io.cascade.command.StopHook;
import io.cascade.contract.Quantities;
import io.cascade.kernel.ServiceNotice;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

@FirstOptions({"--output", "--listen", "--keep", "--key-file", "--through"})
@Command(
    name = "receive",
    mixinStandardHelpOptions = true,
    description = {
      "Wait for a ./cascade send and receive its files, verified by SHA-256.",
      "Prints a code: a sender with the code may send, and no on-path attacker can read or change a"
          + " byte. A wrong guess voids the code, and a new one is printed. A file gets its name"
          + " only when it has arrived completely."
    },
    footer = {
      "",
      "Examples:",
      "  cascade receive                           # prints a code for ./cascade send FILE CODE",
      "  cascade receive --through den.example.org  # no open port: by a relay --rendezvous there",
      "  cascade receive --listen 9000 --address files.example.org --output /data",
      "  (umask 077; openssl rand -hex 32 > key)   # once; copy it to the senders",
      "  cascade receive --listen 9000 --key-file key --keep --output /data"
    })
public final class ReceiveVerb implements Callable<Integer> {
  @Mixin private TransferOutput output = new TransferOutput();
  @Mixin private ThroughOption through = new ThroughOption();

  /** Default port; nothing else of the project uses it. */
  private static final int PORT = 7420;

  private static final String EVERYWHERE = "0.0.0.0";

  @Option(
      names = "--listen",
      paramLabel = "[HOST:]PORT",
      converter = ListenAddress.class,
      description =
          "Listen on this address (default: port 7420, or a free port if it is taken). A port alone"
              + " listens on every address of this host; port 0 picks a free port.")
  private @Nullable InetSocketAddress listen;

  @Option(
      names = "--address",
      paramLabel = "HOST",
      description =
          "Put this host into the code, as senders know it (default: the address of this host's"
              + " outgoing route).")
  private @Nullable String address;

  @ArgGroup private @Nullable Admission admission;

  @Option(
      names = "--output",
      paramLabel = "FILE|DIR",
      description =
          "Write to this file, or into this folder under the senders' file names (default: the"
              + " current folder).")
  private Path into = Path.of(".");

  @Option(names = "--keep", description = "Keep receiving files until Ctrl-C.")
  private boolean keep;

  @Option(
      names = "--service",
      description =
          "Run as a service: as --keep, with a log line for each transfer and a notification to"
              + " systemd when ready; needs --key-file.")
  private boolean service;

  @Option(
      names = "--at-once",
      paramLabel = "N",
      defaultValue = "" + FileReceiver.MOST_AT_ONCE,
      description =
          "Receive at most N transfers at a time, 1 to ${DEFAULT-VALUE} (default:"
              + " ${DEFAULT-VALUE}); others wait in order of arrival.")
  private int atOnce = FileReceiver.MOST_AT_ONCE;

  @Option(names = "--overwrite", description = "Replace existing files.")
  private boolean overwrite;

  @Option(
      names = "--sync",
      description = "Flush each file to the disk itself before confirming it to its sender.")
  private boolean sync;

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

  /** Null where transfers are not reported to a program. */
  private @Nullable TransferEvents events;

  private final Refusals refusals = new Refusals(System.nanoTime());

  /** Null where senders need no code. */
  private volatile @Nullable ReceiverCodes invitation;

  /** The relay at which senders meet this receiver; null where there is none. */
  private @Nullable HostPort relay;

  /** Null where there is no relay. */
  private @Nullable Meeting meeting;

  /** Address that senders connect to; null where it does not listen. */
  private @Nullable HostPort reached;

  @Override
  public Integer call() throws InterruptedException, TransferFailed {
    if (atOnce < 1 || atOnce > FileReceiver.MOST_AT_ONCE) {
      throw new CommandException(
          "--at-once %d (expected: 1 to %d)".formatted(atOnce, FileReceiver.MOST_AT_ONCE));
    }
    if (service) {
      requireKey();
      keep = true;
    }
    if (!output.events()) {
      return receive();
    }
    try (TransferEvents told = new TransferEvents(output::documentLine)) {
      events = told;
      return receive();
    }
  }

  /**
   * Requires a key for a service: a code changes with each wrong guess, and a service's output may
   * go unread.
   */
  private void requireKey() {
    if (admission == null || admission.keyFile == null) {
      throw new CommandException(
          "--service needs --key-file FILE, which senders need as well: a code changes after a"
              + " wrong guess, and a service has no terminal that shows the new one; fix: (umask"
              + " 077; openssl rand -hex 32 > key)");
    }
  }

  private int receive() throws InterruptedException, TransferFailed {
    Path folder = into.toAbsolutePath().getParent();
    if (!Files.isDirectory(into) && (folder == null || !Files.isDirectory(folder))) {
      throw new CommandException("--output: no such folder: " + (folder == null ? into : folder));
    }
    OutputTarget target = new OutputTarget(into, overwrite, sync);
    target.requireWritable();
    TransferEvents told = events;
    TransferListener drawn =
        keep ? TransferListener.SILENT : ProgressLine.of("receiving", progress);
    TransferListener listener = told == null ? drawn : told;
    Duration patience = Duration.ofSeconds(stallTimeout);
    FileReceiver files = new FileReceiver(target, patience, listener, atOnce);
    relay = through.relay();
    try (ReceivingPort port =
            open(at ->
                raw() ? raw(at, new RawReceiver(target, patience, listener)) : gate(at, files));
        CodedReception sessions = new CodedReception(one -> port.begin(one, files));
        WaitingLine _ = meeting == null ? null : Rendezvous.await(meeting, port, output);
        StopHook _ = StopHook.install(() -> stop(files))) {
      port.tellRefusals(this::refused);
      if (!raw() && reached != null) {
        InetSocketAddress every = new InetSocketAddress(0);
        sessions.listenAt(
            new InetSocketAddress(
                (listen == null ? every : listen).getAddress(), port.address().port()));
        files.takes(sessions);
      } else if (meeting != null) {
        sessions.listenAt(new InetSocketAddress(0));
        files.takes(sessions);
      }
      if (meeting != null) {
        sessions.observedBy(meeting.observer());
      }
      invite();
      tellServiceManager(ServiceNotice.READY);
      while (true) {
        boolean arrived = report(port.next(), port);
        ReceiverCodes invited = invitation;
        if (invited != null) {
          invited.ended(arrived, !keep);
        }
        if (!keep) {
          return arrived ? 0 : 1;
        }
      }
    } catch (IOException e) {
      InetSocketAddress wanted = listen == null ? new InetSocketAddress(PORT) : listen;
      throw new CommandException(
          "cannot listen on "
              + wanted.getHostString()
              + ":"
              + wanted.getPort()
              + ": "
              + ListenFailure.words(e)
              + "; fix: use another with --listen, or 0 for a free one",
          e);
    }
  }

  private void refused(Outcome.Refused refused) {
    refusals
        .line(refused, System.nanoTime())
        .ifPresent(line -> {
          if (service) {
            tell(line);
          } else {
            output.note("cascade receive: " + line);
          }
        });
  }

  private void tellServiceManager(String notice) {
    if (service) {
      ServiceReadiness.tell(notice, output);
    }
  }

  private void stop(FileReceiver files) {
    tellServiceManager(ServiceNotice.STOPPING);
    files.wouldBeKept().forEach(output::note);
  }

  private ReceivingPort open(Function<HostPort, ConnectionReceiver> receiver) throws IOException {
    long places = keep ? Long.MAX_VALUE : 1;
    HostPort met = relay;
    if (met != null && listen == null) {
      tell("receiving through relay " + met);
      return ReceivingPort.withoutPort(places, receiver.apply(met));
    }
    if (listen != null) {
      return ReceivingPort.open(listen, places, receiver);
    }
    try {
      return ReceivingPort.open(new InetSocketAddress(PORT), places, receiver);
    } catch (BindException e) {
      return ReceivingPort.open(new InetSocketAddress(0), places, receiver);
    }
  }

  /** The first handler of each connection. */
  private ConnectionReceiver gate(HostPort at, FileReceiver files) {
    HostPort met = relay;
    if (met == null || listen != null) {
      tell("receiving on " + at);
      reached = new HostPort(hostOf(at), at.port());
    }
    if (admission != null && admission.openToAnyone) {
      output.note(
          "open to anyone: every host that reaches the port may send, and nothing is encrypted");
      return new UnsealedReception(files);
    }
    ReceiverIdentity identity = ReceiverIdentity.create();
    if (admission != null && admission.keyFile != null) {
      byte[] bytes = KeyFile.read(admission.keyFile);
      Secret key = Secret.ofKey(bytes);
      meeting = met == null ? null : Meeting.ofKey(met, bytes);
      return new SealedReception(identity, key, _ -> key, files);
    }
    HostPort found = met == null ? Objects.requireNonNull(reached) : met;
    ReceiverCodes made =
        new ReceiverCodes(found, met != null, new KeptCode(into, found), this::print, output::note);
    meeting = met == null ? null : Meeting.named(met, made.code().meeting());
    invitation = made;
    return new SealedReception(identity, Secret.of(made.code()), made::next, files);
  }

  private ConnectionReceiver raw(HostPort at, RawReceiver receiver) {
    tell("receiving on " + at);
    return receiver;
  }

  private String hostOf(HostPort at) {
    if (address != null) {
      return address;
    }
    return at.host().equals(EVERYWHERE) ? ReceiveAddress.outwards() : at.host();
  }

  private void invite() {
    ReceiverCodes made = invitation;
    if (made == null) {
      return;
    }
    made.open();
    HostPort at = reached;
    boolean everywhere = listen == null || listen.getAddress().isAnyLocalAddress();
    if (at != null && address == null && everywhere) {
      output.note(
          "if senders know this host by another address, use that in the code, or start with"
              + " --address HOST");
    }
  }

  private void print(Code code) {
    tell("on the sending host: ./cascade send FILE " + code);
    HostPort at = reached;
    if (at != null && !code.meeting().isEmpty()) {
      tell("or, where it reaches this one: ./cascade send FILE " + new Code(at, code.secret()));
    }
  }

  /** Prints on stdout, or on stderr where stdout is for the document. */
  private void tell(String line) {
    if (output.json()) {
      output.note(line);
    } else {
      output.out().println(line);
      output.out().flush();
    }
  }

  private boolean raw() {
    return admission != null && admission.raw;
  }

  private boolean report(Outcome.Ended outcome, ReceivingPort port) throws InterruptedException {
    TransferEvents told = events;
    if (told != null) {
      told.ended(outcome);
      return outcome instanceof Outcome.Arrived;
    }
    if (service) {
      tell(ServiceLog.line(outcome));
      return outcome instanceof Outcome.Arrived;
    }
    return switch (outcome) {
      case Outcome.Arrived(Received received) -> {
        ReceiverCodes invited = invitation;
        print(
            Report.of(
                received, port.ignored(), invited == null ? null : invited.code().toString()));
        yield true;
      }
      case Outcome.Broken(String reason, Outcome.Attempt attempt) -> {
        String from = attempt == null ? "" : " (from %s)".formatted(attempt.from());
        output.note("cascade receive: " + reason + from);
        yield false;
      }
    };
  }

  private void print(Report report) {
    if (output.json() && keep) {
      output.documentLine(report);
    } else if (output.json()) {
      output.document(report);
    } else {
      Received.Entries entries = report.entries();
      output
          .out()
          .println(
              "%s %s in %s, %s, from %s%s"
                  .formatted(
                      entries == null ? report.file() + " " : words(entries),
                      DataSize.format(entries == null ? report.bytes() : entries.bytes()),
                      Quantities.seconds(report.seconds()),
                      raw() ? "not verified" : "verified",
                      report.from(),
                      report.ignoredConnections() == 0
                          ? ""
                          : " (" + report.ignoredConnections() + " connections without a file)"));
      output.out().println("sha256 " + report.sha256());
      output.out().flush();
    }
  }

  private static String words(Received.Entries entries) {
    String links = entries.links() == 0 ? "" : ", %d links".formatted(entries.links());
    return Printable.line(
        "%s: %d files, %d folders%s,"
            .formatted(entries.name(), entries.files(), entries.folders(), links));
  }

  /** Options that replace the code as the sender's credential. Mutually exclusive. */
  static final class Admission {
    @Option(
        names = "--key-file",
        paramLabel = "FILE",
        description =
            "Use the key in this file instead of a code: a sender with the key may send. For"
                + " scripts and daemons; wrong guesses do not void it.")
    private @Nullable Path keyFile;

    @Option(
        names = "--open-to-anyone",
        description =
            "Use no code: any host that reaches the port may send, and an on-path attacker can read"
                + " and change what is sent.")
    private boolean openToAnyone;

    @Option(
        names = "--raw",
        description =
            "Receive all that any TCP client sends until the end of its connection, in clear text.")
    private boolean raw;
  }

  /**
   * One file, as in the JSON document, or entries in the folder {@code file}.
   *
   * @param code with which it may have been sent; null where the receiver has none
   * @param entries null for a file
   */
  record Report(
      String file,
      long bytes,
      String sha256,
      String from,
      double seconds,
      long ignoredConnections,
      @Nullable String code,
      Received.@Nullable Entries entries) {
    static Report of(Received received, long ignored, @Nullable String code) {
      return new Report(
          received.file().toAbsolutePath().normalize().toString(),
          received.bytes(),
          received.sha256().toString(),
          received.from(),
          received.elapsed().toNanos() / 1e9,
          ignored,
          code,
          received.entries());
    }
  }

  /** Converts {@code 9000}, {@code 127.0.0.1:9000}, {@code [::1]:0}. */
  static final class ListenAddress implements ITypeConverter<InetSocketAddress> {
    @Override
    public InetSocketAddress convert(String value) {
      int colon = value.lastIndexOf(':');
      String host = colon < 0 ? "" : value.substring(0, colon);
      if (host.startsWith("[") && host.endsWith("]")) {
        host = host.substring(1, host.length() - 1);
      } else if (host.indexOf(':') >= 0) {
        throw new TypeConversionException(
            "'" + value + "': an IPv6 address needs brackets (expected: [ADDRESS]:PORT)");
      }
      int port;
      try {
        port = Integer.parseInt(value.substring(colon + 1));
      } catch (NumberFormatException e) {
        port = -1;
      }
      if (port < 0 || port > 65_535) {
        throw new TypeConversionException(
            "'" + value + "' (expected: [HOST:]PORT with a port from 0 to 65535)");
      }
      return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
    }
  }
}
