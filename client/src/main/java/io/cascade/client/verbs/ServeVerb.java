package io.cascade.client.verbs;

import io.cascade.api.transfers.Transfer;
import io.cascade.client.service.TransferService;
import io.cascade.command.CommandException;
import io.cascade.command.ListenFailure;
import io.cascade.command.StateHome;
import io.cascade.kernel.ServiceNotice;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    description = {
      "Send files of this host on request of programs over HTTP: start, watch, stop.",
      "Transfers that have not ended continue after a restart. Callers authenticate with a token"
          + " that the first start creates."
    },
    footer = {
      "",
      "Examples:",
      "  cascade serve /srv/outgoing               # files of this folder, to receivers' codes",
      "  cascade serve /srv/outgoing --key-file key  # to receivers that have this key, too",
      "",
      "The calls: docs/reference/serve.md."
    })
public final class ServeVerb implements Callable<Integer> {
  private static final int MOST_AT_ONCE = 64;

  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @Parameters(
      arity = "1..*",
      paramLabel = "FOLDER",
      description = "Folders whose files and subfolders may be sent, at any depth.")
  private List<Path> folders = List.of();

  @Option(
      names = "--listen",
      paramLabel = "[HOST:]PORT",
      defaultValue = "7421",
      converter = ForwardVerb.LocalAddress.class,
      description =
          "Listen for calls on this address, over plain HTTP (default: ${DEFAULT-VALUE}). A port"
              + " alone listens on loopback; port 0 picks a free port.")
  private InetSocketAddress listen = new InetSocketAddress("127.0.0.1", 7421);

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = "Use the key in this file for receivers that were started with it.")
  private @Nullable Path keyFile;

  @Option(
      names = "--state",
      paramLabel = "DIR",
      description =
          "Keep the token and the journal in this folder (default: $XDG_STATE_HOME/cascade/serve or"
              + " ~/.local/state/cascade/serve).")
  private @Nullable Path state;

  @Option(
      names = "--at-once",
      paramLabel = "N",
      defaultValue = "4",
      description =
          "Send at most N files and folders at a time, 1 to 64 (default: ${DEFAULT-VALUE}); others"
              + " wait.")
  private int atOnce = 4;

  @Override
  public Integer call() throws InterruptedException {
    if (atOnce < 1 || atOnce > MOST_AT_ONCE) {
      throw new CommandException(
          "--at-once %d (expected: 1 to %d)".formatted(atOnce, MOST_AT_ONCE));
    }
    Path held = state == null ? StateHome.cascade().resolve("serve") : state;
    TransferService service = start(held.toAbsolutePath());
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> stop(service)));
    tell(
        "serving on http://%s/api/v1, token in %s"
            .formatted(
                service.address().toString().replaceFirst("^[^/]*/", ""),
                held.resolve(TransferService.TOKEN)));
    ServiceReadiness.tell(ServiceNotice.READY, output);
    try {
      new CountDownLatch(1).await();
    } finally {
      stop(service);
    }
    return 0;
  }

  private TransferService start(Path held) {
    try {
      return TransferService.start(
          new TransferService.Settings(
              listen,
              folders,
              held,
              keyFile,
              atOnce,
              orchestrator.client(),
              Instant::now,
              this::ended));
    } catch (BindException e) {
      throw new CommandException(
          "cannot listen on %s:%d: %s; fix: use another with --listen, or 0 for a free one"
              .formatted(listen.getHostString(), listen.getPort(), ListenFailure.words(e)),
          e);
    } catch (IOException e) {
      throw new CommandException("cannot serve: " + e.getMessage(), e);
    }
  }

  private void stop(TransferService service) {
    ServiceReadiness.tell(ServiceNotice.STOPPING, output);
    try {
      service.close();
    } catch (IOException e) {
      output.note("the journal was not closed: " + e.getMessage());
    }
  }

  private void ended(Transfer transfer) {
    if (output.json()) {
      output.documentLine(transfer);
    } else {
      tell(ServiceLog.line(transfer));
    }
  }

  private synchronized void tell(String line) {
    if (output.json()) {
      output.note(line);
    } else {
      output.out().println(line);
      output.out().flush();
    }
  }
}
