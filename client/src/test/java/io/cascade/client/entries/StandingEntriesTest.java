package io.cascade.client.entries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A sender waits for an answer to every entry that it asks for, and has one. */
@Timeout(30)
class StandingEntriesTest {
  @TempDir Path destination = Path.of("");

  private final ComingEntries coming = new ComingEntries();
  private final List<StandingEntry> answers = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    coming.close();
  }

  @Test
  void whereTheFolderCannotBeOpened() {
    look(destination.resolve("gone"), entry("f", Entry.Kind.FILE), entry("g", Entry.Kind.FOLDER));

    await().untilAsserted(() -> assertThat(answers).hasSize(2).containsOnly(StandingEntry.NOTHING));
  }

  @Test
  void whereAnEntryCannotBeLookedAt() throws Exception {
    Files.createFile(destination.resolve("z"));
    Entry noPath = entry("a\0b", Entry.Kind.FILE);

    look(destination, noPath, entry("z", Entry.Kind.FOLDER));

    await()
        .untilAsserted(
            () -> assertThat(answers).containsExactly(StandingEntry.OTHER, StandingEntry.NOTHING));
  }

  @Test
  void thePartsNameOfAFileThatHasArrivedIsNoBeginning() throws Exception {
    Path arrived = Files.write(destination.resolve("f"), new byte[(int) NewFile.LEAST_KEPT_BYTES]);
    Files.createLink(destination.resolve(NewFile.partName("f")), arrived);
    Entry longer = new Entry("f", Entry.Kind.FILE, 1L << 30, Instant.EPOCH, 0600, "");

    look(destination, longer);

    await().untilAsserted(() -> assertThat(answers).containsExactly(StandingEntry.OTHER));
  }

  private void look(Path folder, Entry... asked) {
    assertThat(coming.add(List.of(asked))).isTrue();
    new StandingEntries(folder, coming, (_, standing) -> answers.addAll(standing)).start();
  }

  private static Entry entry(String path, Entry.Kind kind) {
    return new Entry(path, kind, 0, Instant.EPOCH, 0600, "");
  }
}
