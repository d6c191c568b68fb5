package io.cascade.orchestrator.store;

import io.cascade.command.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Backups of an H2 file from before its migrations, as SQL: an earlier version can be restored with
 * one, but cannot open the migrated file.
 */
final class Backup {
  private static final Logger LOG = LoggerFactory.getLogger(Backup.class);
  private static final int KEPT = 5;
  private static final String PREFIX = "before-";
  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private Backup() {}

  /**
   * Writes a backup that only the owner can read, and deletes the oldest ones beyond {@value
   * #KEPT}.
   *
   * @param folder of the database
   * @param version that the database is to have next
   * @throws CommandException if it cannot be written; the database is then not migrated
   */
  static void write(DataSource source, Path folder, String version, Instant now) {
    // The time comes first, so that names sort by it.
    Path file = folder.resolve(PREFIX + MOMENT.format(now) + "-v" + version + ".sql");
    try {
      JdbcClient.create(source)
          .sql("script to '" + file.toString().replace("'", "''") + "'")
          .query((_, _) -> true)
          .list();
      // Until here the file is protected by its folder, which only the owner can read.
      if (Files.getFileStore(folder).supportsFileAttributeView("posix")) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      }
      deleteOldest(folder);
    } catch (IOException | DataAccessException e) {
      throw new CommandException(
          file + ": the copy from before the migration cannot be written (" + e.getMessage() + ")",
          e);
    }
    LOG.info("the state before the migration is in {}", file);
  }

  private static void deleteOldest(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> newestFirst =
          files
              .filter(file -> file.getFileName().toString().matches(PREFIX + ".*\\.sql"))
              .sorted(Comparator.reverseOrder())
              .toList();
      for (Path old : newestFirst.stream().skip(KEPT).toList()) {
        Files.delete(old);
      }
    }
  }
}
