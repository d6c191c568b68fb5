package io.cascade.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What a loss of power leaves of an H2 file: of the last commit some blocks have come to the disk,
 * and some have not.
 */
@Timeout(120)
@NullUnmarked
class TornFileTest {
  private static final int COMMITS = 25;
  private static final int BLOCK = 4_096;

  @TempDir private Path folder;

  /** Which of the blocks that a commit changed have come to the disk. */
  enum Tear {
    THE_FIRST {
      @Override
      boolean keeps(int block, int changed) {
        return block == 0;
      }
    },
    ALL_BUT_THE_FIRST {
      @Override
      boolean keeps(int block, int changed) {
        return block > 0;
      }
    },
    ALL_BUT_THE_LAST {
      @Override
      boolean keeps(int block, int changed) {
        return block < changed - 1;
      }
    },
    EVERY_OTHER {
      @Override
      boolean keeps(int block, int changed) {
        return block % 2 == 0;
      }
    };

    abstract boolean keeps(int block, int changed);
  }

  @ParameterizedTest
  @EnumSource(Tear.class)
  void opensWithAllThatWasCommittedBefore(Tear tear) throws IOException {
    Path own = folder.resolve("own");
    List<byte[]> images = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    try (StateDatabase database = StateDatabase.open(new StateDirectory(own), null)) {
      Migrations.run(database, Instant.EPOCH);
      JdbcClient jdbc = JdbcClient.create(database.source());
      images.add(Files.readAllBytes(file(own)));
      for (int i = 0; i < COMMITS; i++) {
        keys.add("key-%02d".formatted(i));
        insert(jdbc, keys.getLast());
        images.add(Files.readAllBytes(file(own)));
      }
    }

    for (int i = 0; i < COMMITS; i++) {
      Path left = folder.resolve("left-" + i);
      StateDirectory directory = new StateDirectory(left);
      Path _ = directory.prepare();
      Files.write(file(left), torn(images.get(i), images.get(i + 1), tear));
      try (StateDatabase database = StateDatabase.open(directory, null)) {
        assertThat(keys(database))
            .as("after commit %d", i)
            .isIn(List.of(keys.subList(0, i), keys.subList(0, i + 1)));
        insert(JdbcClient.create(database.source()), "later");
      }
    }
  }

  private static byte[] torn(byte[] before, byte[] after, Tear tear) {
    List<Integer> changed = new ArrayList<>();
    for (int from = 0; from < after.length; from += BLOCK) {
      if (!Arrays.equals(block(before, from), block(after, from))) {
        changed.add(from);
      }
    }
    byte[] torn = after.clone();
    for (int i = 0; i < changed.size(); i++) {
      if (!tear.keeps(i, changed.size())) {
        int from = changed.get(i);
        System.arraycopy(block(before, from), 0, torn, from, Math.min(BLOCK, torn.length - from));
      }
    }
    return torn;
  }

  /** Zeros where the file does not go so far. */
  private static byte[] block(byte[] file, int from) {
    return from < file.length ? Arrays.copyOfRange(file, from, from + BLOCK) : new byte[BLOCK];
  }

  private static Path file(Path state) {
    return state.resolve("orchestrator").resolve("state.mv.db");
  }

  private static void insert(JdbcClient jdbc, String key) {
    jdbc.sql(
            "insert into idempotency_key (request_key, body_digest, chain_id, created_at)"
                + " values (:key, 'digest', random_uuid(), current_timestamp)")
        .param("key", key)
        .update();
  }

  private static List<String> keys(StateDatabase database) {
    return JdbcClient.create(database.source())
        .sql("select request_key from idempotency_key order by request_key")
        .query(String.class)
        .list();
  }
}
