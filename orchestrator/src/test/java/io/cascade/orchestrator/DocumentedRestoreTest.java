package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.orchestrator.ChainState;
import io.cascade.orchestrator.store.Migrations;
import io.cascade.orchestrator.store.PostgresServer;
import io.cascade.testing.Documents;
import io.cascade.testing.Postgres;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The commands of {@code docs/reference/operations.md} that make a backup and bring it back, as
 * they stand there: each time of a state that a later version has migrated since.
 */
@NullUnmarked
@Tag("slow")
@Timeout(240)
class DocumentedRestoreTest {
  private static final String PAGE = "docs/reference/operations.md";
  private static final String SECTION = "## Backup and restore\n";

  /** Before several tables that a restored database must not have already. */
  private static final String EARLIER = "18";

  @TempDir private Path home;

  @Test
  void theCopyOfAnH2FileComesBack() throws Exception {
    Path state = home.resolve(".local/state/cascade");
    Migrations.run(file(state), EARLIER);
    insert(file(state), "kept");
    Rig.start(state).close();
    insert(file(state), "later");
    Path libraries = Files.createDirectory(home.resolve("lib"));
    Path jar =
        Path.of(JdbcDataSource.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Files.createSymbolicLink(libraries.resolve("h2.jar"), jar);

    type(
        String.join("\n", lines("cd ", "mv ", "java "))
            .replace("LIB", libraries.toString())
            .replaceAll("before-\\S+\\.sql", copy(state)),
        Map.of());

    assertThat(keys(file(state))).containsExactly("kept");
    serves(Rig.start(state));
  }

  @Test
  void theDumpOfAPostgresqlDatabaseComesBack() throws Exception {
    assumeInstalled("pg_dump");
    try (Postgres postgres = Postgres.startOrSkip()) {
      URI url = URI.create(postgres.newDatabase());
      PostgresServer database = new PostgresServer(url.toString(), Postgres.USER, null);
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setUrl("jdbc:" + url);
      source.setUser(Postgres.USER);
      String name = url.getPath().substring(1);
      Map<String, String> environment =
          Map.of(
              "PGHOST", url.getHost(),
              "PGPORT", Integer.toString(url.getPort()),
              "PGUSER", Postgres.USER);
      Migrations.run(source, EARLIER);
      insert(source, "kept");

      type(String.join("\n", lines("pg_dump ")).replace("DATABASE", name), environment);
      Rig.start(home.resolve("1"), settings -> settings.withDatabase(database)).close();
      insert(source, "later");
      type(String.join("\n", lines("psql ", "pg_restore ")).replace("DATABASE", name), environment);

      assertThat(keys(source)).containsExactly("kept");
      serves(Rig.start(home.resolve("2"), settings -> settings.withDatabase(database)));
    }
  }

  /** It begins, with what was migrated once more, and stores. */
  private static void serves(Rig rig) {
    try (rig) {
      assertThat(rig.client().chains().chains()).isEmpty();
      FakeRelay _ = rig.live("r1");
      assertThat(rig.openVia("r1").state()).isEqualTo(ChainState.READY);
    }
  }

  private static void assumeInstalled(String program) {
    boolean there =
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    if (!there) {
      System.out.printf("SKIPPED: there is no %s (apt install postgresql-client)%n", program);
    }
    assumeTrue(there, "there is no " + program);
  }

  /** The section's commands that begin so, in order. */
  private static List<String> lines(String... beginnings) throws IOException {
    String page = Files.readString(Documents.ROOT.resolve(PAGE));
    String section = page.substring(page.indexOf(SECTION) + SECTION.length());
    int next = section.indexOf("\n## ");
    List<String> lines =
        Documents.shellLines(next < 0 ? section : section.substring(0, next)).stream()
            .filter(line -> Stream.of(beginnings).anyMatch(line::startsWith))
            .toList();
    assertThat(lines).hasSizeGreaterThanOrEqualTo(beginnings.length);
    return lines;
  }

  private void type(String commands, Map<String, String> environment) throws Exception {
    ProcessBuilder shell = new ProcessBuilder("bash", "-euc", commands).redirectErrorStream(true);
    shell.directory(home.toFile());
    shell.environment().putAll(environment);
    shell.environment().put("HOME", home.toString());
    shell
        .environment()
        .merge(
            "PATH",
            Path.of(System.getProperty("java.home"), "bin").toString(),
            (path, java) -> java + File.pathSeparator + path);
    Process process = shell.start();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as("%s%n%s", commands, said).isZero();
  }

  /** Name of the copy that was made before the migration. */
  private static String copy(Path state) throws IOException {
    try (Stream<Path> files = Files.list(state.resolve("orchestrator"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("before-"))
          .findFirst()
          .orElseThrow();
    }
  }

  private static DataSource file(Path state) {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL(
        "jdbc:h2:file:"
            + state.resolve("orchestrator").resolve("state").toAbsolutePath()
            + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH");
    source.setUser("cascade");
    source.setPassword("");
    return source;
  }

  private static void insert(DataSource source, String key) {
    JdbcClient.create(source)
        .sql(
            "insert into idempotency_key (request_key, body_digest, chain_id, created_at)"
                + " values (:key, 'digest', :chain, current_timestamp)")
        .param("key", key)
        .param("chain", new UUID(0, 1))
        .update();
  }

  private static List<String> keys(DataSource source) {
    return JdbcClient.create(source)
        .sql("select request_key from idempotency_key")
        .query(String.class)
        .list();
  }
}
