package io.cascade.client.entries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A stream that broke off goes on behind the last entry that stands whole. */
@Timeout(60)
class ResumedEntriesTest {
  @TempDir Path temporary = Path.of("");
  private Path source = Path.of("");
  private Path destination = Path.of("");

  @BeforeEach
  void folders() throws IOException {
    source = Files.createDirectory(temporary.resolve("tree"));
    destination = temporary.resolve("received");
  }

  private void sendUntil(byte[] stream, int length) throws IOException {
    try (Extractor extractor = new Extractor(destination, false, EntryListener.SILENT)) {
      extractor.accept(ByteBuffer.wrap(stream, 0, length));
    }
  }

  private Optional<FolderStream> rest(Cursor cursor) throws IOException {
    return FolderStream.from(cursor, Trees.walk(source), EntryListener.SILENT);
  }

  private boolean hasCursor() throws IOException {
    try (Extractor extractor = new Extractor(destination, false, EntryListener.SILENT)) {
      return extractor.cursor().isPresent();
    }
  }

  @Test
  void whereverItBrokeOffTheRestMakesItWhole() throws IOException {
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      source = Files.createDirectory(temporary.resolve("tree" + seed));
      destination = temporary.resolve("received" + seed);
      Trees.fill(source, random, 4);
      byte[] all = Trees.stream(source);
      int length = random.nextInt(all.length);
      sendUntil(all, length);
      for (int run = 0; run < 2; run++) {
        // Begun anew, it meets what the stream before left.
        boolean overwrite = !hasCursor();
        try (Extractor extractor = new Extractor(destination, overwrite, EntryListener.SILENT)) {
          Optional<Cursor> cursor = extractor.cursor();
          byte[] sent = cursor.isPresent() ? Trees.drain(rest(cursor.get()).orElseThrow()) : all;
          boolean breaksOffOnceMore = run == 0;
          extractor.accept(
              ByteBuffer.wrap(
                  sent, 0, breaksOffOnceMore ? random.nextInt(sent.length) : sent.length));
          if (!breaksOffOnceMore) {
            assertThat(extractor.finish().refused().lines()).as("seed %d", seed).isEmpty();
          }
        }
      }
      assertThat(Trees.look(destination.resolve(source.getFileName())))
          .as("seed %d", seed)
          .isEqualTo(Trees.look(source));
      assertThat(destination.resolve(CursorJournal.NAME)).doesNotExist();
    }
  }

  @Test
  void noContentBeforeTheCursorIsRead() throws IOException {
    Files.write(source.resolve("a"), new byte[100_000]);
    Files.write(source.resolve("b"), new byte[10]);
    byte[] all = Trees.stream(source);
    sendUntil(all, all.length - EntryEncoder.END_BYTES - 100);
    try (Extractor extractor = new Extractor(destination, false, EntryListener.SILENT)) {
      Cursor cursor = extractor.cursor().orElseThrow();
      assertThat(cursor.path()).isEqualTo("tree/a");
      assertThat(Trees.drain(rest(cursor).orElseThrow())).hasSizeLessThan(10_000);
    }
  }

  @Test
  void aTreeThatChangedIsToldApart() throws IOException {
    Files.write(source.resolve("b"), new byte[10]);
    Files.write(source.resolve("c"), new byte[10]);
    byte[] all = Trees.stream(source);
    sendUntil(all, all.length - EntryEncoder.END_BYTES - 100);
    try (Extractor extractor = new Extractor(destination, false, EntryListener.SILENT)) {
      Cursor cursor = extractor.cursor().orElseThrow();
      assertThat(rest(cursor)).isPresent();
      Files.write(source.resolve("a"), new byte[10]);
      assertThat(rest(cursor)).isEmpty();
    }
  }

  @Test
  void theJournalIsPrivateAndADamagedOneIsNotBelieved() throws IOException {
    Files.write(source.resolve("a"), new byte[10]);
    Files.write(source.resolve("b"), new byte[10]);
    byte[] all = Trees.stream(source);
    sendUntil(all, all.length - EntryEncoder.END_BYTES - 100);
    Path journal = destination.resolve(CursorJournal.NAME);
    assertThat(Files.getPosixFilePermissions(journal))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    byte[] damaged = Files.readAllBytes(journal);
    damaged[damaged.length - 1]++;
    Files.write(journal, damaged);
    try (Extractor extractor = new Extractor(destination, false, EntryListener.SILENT)) {
      assertThat(extractor.cursor()).isEmpty();
    }
  }

  @Test
  void aStreamThatGoesOnWhereNothingStandsIsRefused() throws IOException {
    Files.write(source.resolve("a"), new byte[10]);
    Files.write(source.resolve("b"), new byte[10]);
    byte[] all = Trees.stream(source);
    sendUntil(all, all.length - EntryEncoder.END_BYTES - 100);
    byte[] rest;
    try (Extractor extractor = new Extractor(destination, false, EntryListener.SILENT)) {
      rest = Trees.drain(rest(extractor.cursor().orElseThrow()).orElseThrow());
    }
    assertThatThrownBy(() -> Trees.extract(rest, temporary.resolve("elsewhere"), false))
        .isInstanceOf(EntriesFailed.class)
        .hasMessageContaining("where this receiver is not");
  }
}
