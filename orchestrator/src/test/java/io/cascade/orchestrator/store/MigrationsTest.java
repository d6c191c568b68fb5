package io.cascade.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The version before goes on over a database that this one has migrated. */
class MigrationsTest {
  private static final Path FOLDER =
      Path.of("src", "main", "resources", "io", "cascade", "orchestrator", "store");
  private static final Pattern NUMBER = Pattern.compile("V(\\d+)__.*\\.sql");

  /** All since several orchestrators share a database. */
  private static final int FIRST = 20;

  private static final Pattern TAKES_AWAY =
      Pattern.compile("\\b(drop|rename|truncate|delete|set not null|alter column)\\b");

  private static final Pattern ADDED_COLUMN = Pattern.compile("\\badd (column )?[^;]*");

  @Test
  void onlyAddAndNeedNothingOfWhoeverDoesNotKnowThem() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(FOLDER)) {
      files = all.filter(file -> number(file) >= FIRST).toList();
    }
    assertThat(files).isNotEmpty();
    for (Path file : files) {
      String sql = Files.readString(file).replaceAll("--.*", "").toLowerCase(Locale.ROOT);
      assertThat(sql).as("%s", file).doesNotContainPattern(TAKES_AWAY);
      assertThat(ADDED_COLUMN.matcher(sql).results().map(found -> found.group()))
          .as("%s: a column that the version before does not write", file)
          .allMatch(added -> !added.contains("not null") || added.contains("default"));
    }
  }

  private static int number(Path file) {
    Matcher name = NUMBER.matcher(file.getFileName().toString());
    return name.matches() ? Integer.parseInt(name.group(1)) : 0;
  }
}
