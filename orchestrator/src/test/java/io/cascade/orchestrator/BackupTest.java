package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.orchestrator.store.Migrations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.tools.RunScript;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A file that a later version migrates is copied before. */
@NullUnmarked
@Timeout(240)
class BackupTest {
  @TempDir private Path state;

  @Test
  void aFileIsCopiedBeforeItIsMigratedAndTheCopyCanBeRestored() throws Exception {
    Migrations.run(source(state), "18");
    insertKey(state);

    Rig.start(state).close();

    List<Path> copies = copies();
    assertThat(copies).hasSize(1);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copies.getFirst())))
        .isEqualTo("rw-------");
    Path restored = state.resolve("restored");
    Files.createDirectories(restored.resolve("orchestrator"));
    RunScript.execute(url(restored), "cascade", "", copies.getFirst().toString(), null, false);
    assertThat(keys(restored)).containsExactly("kept");
    try (Rig rig = Rig.start(restored)) {
      assertThat(rig.client().chains().chains()).isEmpty();
    }
    assertThat(keys(restored)).containsExactly("kept");
  }

  @Test
  void aNewFileAndOneThatIsUpToDateAreNotCopied() throws IOException {
    Rig.start(state).close();
    Rig.start(state).close();

    assertThat(copies()).isEmpty();
  }

  @Test
  void fiveAreKept() throws Exception {
    Path folder = state.resolve("orchestrator");
    Files.createDirectories(folder);
    for (int i = 0; i < 7; i++) {
      Files.createFile(folder.resolve("before-2020010" + i + "T000000Z-v9.sql"));
    }
    Migrations.run(source(state), "18");

    Rig.start(state).close();

    assertThat(copies()).hasSize(5).noneMatch(copy -> copy.toString().contains("20200102"));
  }

  private List<Path> copies() throws IOException {
    try (Stream<Path> files = Files.list(state.resolve("orchestrator"))) {
      return files.filter(file -> file.toString().endsWith(".sql")).sorted().toList();
    }
  }

  private static void insertKey(Path of) {
    JdbcClient.create(source(of))
        .sql(
            "insert into idempotency_key (request_key, body_digest, chain_id, created_at)"
                + " values ('kept', 'digest', random_uuid(), current_timestamp)")
        .update();
  }

  private static List<String> keys(Path of) {
    return JdbcClient.create(source(of))
        .sql("select request_key from idempotency_key")
        .query(String.class)
        .list();
  }

  private static String url(Path of) {
    return "jdbc:h2:file:"
        + of.resolve("orchestrator").resolve("state").toAbsolutePath()
        + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH";
  }

  private static JdbcDataSource source(Path of) {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL(url(of));
    source.setUser("cascade");
    source.setPassword("");
    return source;
  }
}
