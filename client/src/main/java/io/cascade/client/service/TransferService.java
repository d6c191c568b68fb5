package io.cascade.client.service;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpServer;
import io.cascade.api.HttpLimits;
import io.cascade.api.LocalRequests;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.transfers.Transfer;
import io.cascade.command.KeyFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Implements the operations of {@code transfers.yaml}: sends files of this host on request.
 * Transfers that the previous process did not finish continue where they were.
 */
public final class TransferService implements AutoCloseable {
  /** Name of the file with the token, in the folder of the service's state. */
  public static final String TOKEN = "token";

  private static final int WAITING_CONNECTIONS = 64;

  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("serve-", 0).factory());
  private final TransferTable table;
  private final Runs runs;

  /**
   * Settings of a service.
   *
   * @param listen its address; port 0 for any free port
   * @param folders whose files may be sent
   * @param state folder of its token and its journal; created if missing
   * @param keyFile with the key that receivers have; null where they have codes alone
   * @param atOnce most transfers at a time
   * @param orchestrator through whose relays files are sent as well
   * @param now the time of day
   * @param ended told of each transfer that has ended, on threads of its own: must not block
   */
  public record Settings(
      InetSocketAddress listen,
      List<Path> folders,
      Path state,
      @Nullable Path keyFile,
      int atOnce,
      OrchestratorClient orchestrator,
      Supplier<Instant> now,
      Consumer<Transfer> ended) {}

  private TransferService(Settings settings, TransferTable table) throws IOException {
    this.table = table;
    Path keyFile = settings.keyFile();
    Outgoing outgoing =
        new Outgoing(settings.folders(), keyFile == null ? null : KeyFile.read(keyFile));
    ServiceToken token = ServiceToken.in(settings.state().resolve(TOKEN));
    this.runs =
        new Runs(table, outgoing, settings.orchestrator(), settings.atOnce(), settings.ended());
    HttpLimits.apply();
    this.server = HttpServer.create(settings.listen(), WAITING_CONNECTIONS);
    ServiceCalls calls = new ServiceCalls(table, outgoing, runs, token);
    HttpContext all = server.createContext("/", calls::serve);
    all.getFilters().add(new LocalRequests());
    server.setExecutor(threads);
  }

  /**
   * Starts a service, which accepts requests when this returns.
   *
   * @throws IOException where it cannot listen, or its state cannot be used
   * @throws io.cascade.command.CommandException where other users can read its token or the key
   */
  public static TransferService start(Settings settings) throws IOException {
    makeFolder(settings.state());
    TransferJournal journal = TransferJournal.open(settings.state());
    TransferService made;
    try {
      made = new TransferService(settings, new TransferTable(journal, settings.now()));
    } catch (IOException | RuntimeException e) {
      journal.close();
      throw e;
    }
    // Before a request can add a transfer, which would then be begun twice.
    made.table.waiting().forEach(made.runs::begin);
    made.server.start();
    return made;
  }

  private static void makeFolder(Path folder) throws IOException {
    try {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (FileAlreadyExistsException e) {
      throw new IOException(folder + ": not a folder", e);
    }
  }

  /** Address at which it listens. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  /**
   * Stops running transfers, within some seconds. Unfinished ones continue when the service is
   * started again.
   */
  @Override
  public void close() throws IOException {
    runs.end();
    server.stop(0);
    threads.shutdownNow();
    table.close();
  }
}
