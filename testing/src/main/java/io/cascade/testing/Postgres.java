package io.cascade.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A PostgreSQL server for tests, on a free port of loopback, removed with its folder. */
public final class Postgres implements AutoCloseable {
  /** The user of its databases, who needs no password. */
  public static final String USER = "cascade";

  private static final Path INSTALLED = Path.of("/usr/lib/postgresql");

  private final Path programs;
  private final Path folder;
  private final int port;
  private int databases;

  private Postgres(Path programs, Path folder, int port) {
    this.programs = programs;
    this.folder = folder;
    this.port = port;
  }

  /** The folder of its programs, if it is installed. */
  private static Optional<Path> programs() {
    if (!Files.isDirectory(INSTALLED)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(INSTALLED)) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
          .max(Comparator.naturalOrder());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a server; skips the test, with a message, where it is not installed. */
  public static Postgres startOrSkip() {
    Optional<Path> programs = programs();
    if (programs.isEmpty()) {
      System.out.println("SKIPPED: PostgreSQL is not installed (apt install postgresql)");
    }
    assumeTrue(programs.isPresent(), "PostgreSQL is not installed");
    return start(programs.get());
  }

  private static Postgres start(Path programs) {
    try {
      Path folder = Files.createTempDirectory("cascade-postgres");
      if (root()) {
        run(List.of("chown", "postgres", folder.toString()));
      }
      int port = ReservedPort.untilTheEnd();
      Postgres server = new Postgres(programs, folder, port);
      try {
        server.runAsItself("initdb", "-D", server.data(), "-A", "trust", "-U", "cascade", "-N");
        server.startAgain();
      } catch (IllegalStateException e) {
        run(List.of("rm", "-rf", folder.toString()));
        throw e;
      }
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts it again after {@link #stop}, at the same port. */
  public void startAgain() {
    runAsItself(
        "pg_ctl",
        "start",
        "-w",
        "-D",
        data(),
        "-l",
        folder.resolve("log").toString(),
        "-o",
        "-F -p %d -k %s -c listen_addresses=127.0.0.1".formatted(port, folder));
  }

  /** Kills it, as a crash does. */
  public void stop() {
    runAsItself("pg_ctl", "stop", "-w", "-m", "immediate", "-D", data());
  }

  /** URL of a new database. */
  public String newDatabase() {
    String name = "state" + ++databases;
    runAsItself("createdb", "-h", "127.0.0.1", "-p", Integer.toString(port), "-U", "cascade", name);
    return "postgresql://127.0.0.1:" + port + "/" + name;
  }

  /**
   * Runs a statement, for example to set times in a database as after a step of its clock.
   *
   * @param database as returned by {@link #newDatabase}
   * @return what psql prints of its rows
   */
  public String run(String database, String statement) {
    return runAsItself("psql", "-X", "-q", "-A", "-t", "-U", USER, "-d", database, "-c", statement)
        .strip();
  }

  @Override
  public void close() {
    stop();
    run(List.of("rm", "-rf", folder.toString()));
  }

  private String data() {
    return folder.resolve("data").toString();
  }

  private String runAsItself(String program, String... arguments) {
    List<String> command = new ArrayList<>();
    if (root()) { // PostgreSQL refuses to run as root.
      command.addAll(List.of("runuser", "-u", "postgres", "--"));
    }
    command.add(programs.resolve(program).toString());
    command.addAll(List.of(arguments));
    return run(command);
  }

  private static String run(List<String> command) {
    try {
      Path output = Files.createTempFile("cascade-postgres", ".txt");
      Process process =
          new ProcessBuilder(command)
              .directory(Path.of("/").toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      boolean ended = process.waitFor(60, TimeUnit.SECONDS);
      String said = Files.readString(output);
      Files.delete(output);
      if (!ended || process.exitValue() != 0) {
        throw new IllegalStateException(command + ": " + said);
      }
      return said;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static boolean root() {
    return "root".equals(System.getProperty("user.name"));
  }
}
