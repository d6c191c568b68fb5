package io.cascade.client.verbs;

import io.cascade.client.terminal.ProgressLine;
import io.cascade.client.transfer.CodedReception;
import io.cascade.client.transfer.ConnectionReceiver;
import io.cascade.client.transfer.FileReceiver;
import io.cascade.client.transfer.Outcome;
import io.cascade.client.transfer.OutputTarget;
import io.cascade.client.transfer.RawReceiver;
import io.cascade.client.transfer.Received;
import io.cascade.client.transfer.ReceivingPort;
import io.cascade.client.transfer.TransferListener;
import io.cascade.command.CommandException;
import io.cascade.command.DataSize;
import io.cascade.command.ListenFailure;
import io.cascade.command.StopHook;
import io.cascade.contract.Quantities;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

@Command(
    name = "receive",
    mixinStandardHelpOptions = true,
    description = {
      "Wait for a ./cascade send and take its file, verified by SHA-256.",
      "A file that did not arrive whole never takes its name."
    })
public final class ReceiveVerb implements Callable<Integer> {
  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init")
  @Option(
      names = "--listen",
      required = true,
      paramLabel = "[HOST:]PORT",
      converter = ListenAddress.class,
      description =
          "Where to listen. A port alone listens on every address of this host; port 0 takes a free"
              + " one.")
  private InetSocketAddress listen;

  @Option(
      names = "--output",
      paramLabel = "FILE|DIR",
      description = "A file, or the folder for files under their senders' names (this folder).")
  private Path into = Path.of(".");

  @Option(names = "--keep", description = "Go on receiving files until Ctrl-C.")
  private boolean keep;

  @Option(names = "--overwrite", description = "A file that is there already gives way.")
  private boolean overwrite;

  @Option(
      names = "--sync",
      description = "Have each file on the disk itself before telling its sender that it stands.")
  private boolean sync;

  @Option(
      names = "--raw",
      description = "Take whatever comes, up to the connection's end, from any TCP client.")
  private boolean raw;

  @Option(
      names = "--progress",
      negatable = true,
      description = "Draw a progress bar (where stderr is a terminal).")
  private @Nullable Boolean progress;

  @Option(
      names = "--stall-timeout",
      paramLabel = "SECONDS",
      defaultValue = "300",
      description = "Give a transfer up when not a byte moved for so long (${DEFAULT-VALUE}).")
  private int stallTimeout = 300;

  @Override
  public Integer call() throws InterruptedException {
    Path folder = into.toAbsolutePath().getParent();
    if (!Files.isDirectory(into) && (folder == null || !Files.isDirectory(folder))) {
      throw new CommandException("--output: no such folder: " + (folder == null ? into : folder));
    }
    OutputTarget target = new OutputTarget(into, overwrite, sync);
    TransferListener listener =
        keep ? TransferListener.SILENT : ProgressLine.of("receiving", progress);
    Duration patience = Duration.ofSeconds(stallTimeout);
    FileReceiver files = raw ? null : new FileReceiver(target, patience, listener);
    ConnectionReceiver receiver =
        files == null ? new RawReceiver(target, patience, listener) : files;
    try (ReceivingPort port = ReceivingPort.open(listen, keep ? Long.MAX_VALUE : 1, receiver);
        CodedReception sessions = new CodedReception(port::begin);
        StopHook _ = StopHook.install(() -> sayWhatIsKept(files))) {
      if (files != null) {
        sessions.listenAt(new InetSocketAddress(listen.getAddress(), port.address().port()));
        files.takes(sessions);
      }
      String address = "receiving on " + port.address();
      if (output.json()) {
        output.note(address);
      } else {
        output.out().println(address);
        output.out().flush();
      }
      while (true) {
        boolean arrived = report(port.next(), port);
        if (!keep) {
          return arrived ? 0 : 1;
        }
      }
    } catch (IOException e) {
      throw new CommandException(
          "cannot listen on "
              + listen.getHostString()
              + ":"
              + listen.getPort()
              + ": "
              + ListenFailure.words(e)
              + ". Take another with --listen, or 0 for a free one",
          e);
    }
  }

  private void sayWhatIsKept(@Nullable FileReceiver files) {
    if (files != null) {
      files.wouldBeKept().forEach(output::note);
    }
  }

  private boolean report(Outcome.Ended outcome, ReceivingPort port) {
    return switch (outcome) {
      case Outcome.Arrived(Received received) -> {
        print(Report.of(received, port.ignored()));
        yield true;
      }
      case Outcome.Broken(String reason) -> {
        output.note("cascade receive: " + reason);
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
      output
          .out()
          .println(
              "%s  %s in %s, %s, from %s%s"
                  .formatted(
                      report.file(),
                      DataSize.format(report.bytes()),
                      Quantities.seconds(report.seconds()),
                      raw ? "verified by nobody" : "verified",
                      report.from(),
                      report.ignoredConnections() == 0
                          ? ""
                          : " (" + report.ignoredConnections() + " connections without a file)"));
      output.out().println("sha256 " + report.sha256());
      output.out().flush();
    }
  }

  /** One file, as the JSON document has it. */
  record Report(
      String file,
      long bytes,
      String sha256,
      String from,
      double seconds,
      long ignoredConnections) {
    static Report of(Received received, long ignored) {
      return new Report(
          received.file().toAbsolutePath().normalize().toString(),
          received.bytes(),
          received.sha256().toString(),
          received.from(),
          received.elapsed().toNanos() / 1e9,
          ignored);
    }
  }

  /** {@code 9000}, {@code 127.0.0.1:9000}, {@code [::1]:0}. */
  static final class ListenAddress implements ITypeConverter<InetSocketAddress> {
    @Override
    public InetSocketAddress convert(String value) {
      int colon = value.lastIndexOf(':');
      String host = colon < 0 ? "" : value.substring(0, colon);
      if (host.startsWith("[") && host.endsWith("]")) {
        host = host.substring(1, host.length() - 1);
      } else if (host.indexOf(':') >= 0) {
        throw new TypeConversionException(
            "'" + value + "': an IPv6 address stands in brackets (expected: [ADDRESS]:PORT)");
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
