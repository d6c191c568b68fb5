package io.cascade.client.entries;

import io.cascade.client.entries.ComingEntries.Numbered;
import io.cascade.client.transfer.content.PermissionBits;
import io.cascade.command.FileKind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares the coming entries with the destination, on a thread of its own, and answers the sender.
 * Folders on the path are held open and were opened without following links. A file is read and
 * digested only if its size and time are those of its entry.
 */
final class StandingEntries {
  private static final int MOST_ANSWERS = 256;
  private static final int STEP_BYTES = 8 << 20;

  /** Sends answers to the sender. */
  @FunctionalInterface
  interface Answers {
    /**
     * @param first number of the first entry
     */
    void tell(long first, List<StandingEntry> standing);
  }

  private final Path destination;
  private final ComingEntries coming;
  private final Answers answers;
  private final Deque<Level> levels = new ArrayDeque<>();
  private final List<StandingEntry> untold = new ArrayList<>();
  private long firstUntold;

  private record Level(String path, HeldFolder folder) {}

  StandingEntries(Path destination, ComingEntries coming, Answers answers) {
    this.destination = destination;
    this.coming = coming;
    this.answers = answers;
  }

  void start() {
    Thread.ofPlatform().daemon().name("standing").start(this::run);
  }

  private void run() {
    try {
      openDestination();
      for (Numbered next = coming.toLook(); next != null; next = coming.toLook()) {
        if (!untold.isEmpty() && next.number() != firstUntold + untold.size()) {
          tell();
        }
        if (untold.isEmpty()) {
          firstUntold = next.number();
        }
        untold.add(look(next));
        if (untold.size() == MOST_ANSWERS || coming.areLooked()) {
          tell();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      levels.forEach(level -> level.folder().close());
    }
  }

  private void openDestination() {
    try {
      levels.push(new Level("", HeldFolder.open(destination)));
    } catch (IOException | RuntimeException | Error e) {
      // As far as can be seen, nothing exists there. The stream will report what is wrong with the
      // folder.
    }
  }

  private void tell() {
    answers.tell(firstUntold, List.copyOf(untold));
    untold.clear();
  }

  private StandingEntry look(Numbered next) {
    Entry entry = next.entry();
    try {
      HeldFolder parent = parent(entry);
      if (parent == null) {
        return StandingEntry.NOTHING;
      }
      return switch (entry.kind()) {
        case FOLDER -> folder(entry, parent);
        case LINK -> link(entry, parent.at(entry.name()));
        case FILE -> file(next, parent);
      };
    } catch (IOException | RuntimeException | Error e) { // The sender waits for an answer to each.
      return entry.kind() == Entry.Kind.FOLDER ? StandingEntry.NOTHING : StandingEntry.OTHER;
    }
  }

  private @Nullable HeldFolder parent(Entry entry) {
    int slash = entry.path().lastIndexOf('/');
    String parent = slash < 0 ? "" : entry.path().substring(0, slash);
    Level level = levels.peekFirst();
    if (level == null) {
      return null;
    }
    while (levels.size() > 1 && !(parent + "/").startsWith(level.path() + "/")) {
      levels.pop().folder().close();
      level = levels.getFirst();
    }
    return level.path().equals(parent) ? level.folder() : null;
  }

  private StandingEntry folder(Entry entry, HeldFolder parent) throws IOException {
    PosixFileAttributes is = look(parent.at(entry.name()));
    if (!is.isDirectory() || levels.size() == Names.MOST_LEVELS) {
      return StandingEntry.NOTHING;
    }
    HeldFolder folder = parent.folder(entry.name());
    levels.push(new Level(entry.path(), folder));
    boolean isSame =
        is.lastModifiedTime().toInstant().equals(entry.modified())
            && PermissionBits.of(is.permissions()) == entry.mode()
            && !folder.isInTheMaking();
    return isSame ? StandingEntry.SAME : StandingEntry.OTHER;
  }

  private static StandingEntry link(Entry entry, Path at) throws IOException {
    return look(at).isSymbolicLink()
            && Files.readSymbolicLink(at).equals(Names.path(entry.target()))
        ? StandingEntry.SAME
        : StandingEntry.OTHER;
  }

  private static PosixFileAttributes look(Path at) throws IOException {
    return Files.readAttributes(at, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  private StandingEntry file(Numbered next, HeldFolder parent) throws IOException {
    Entry entry = next.entry();
    Path at = parent.at(entry.name());
    if (Files.exists(at, LinkOption.NOFOLLOW_LINKS)) {
      PosixFileAttributes is = look(at);
      boolean mayBe =
          is.isRegularFile()
              && is.size() == entry.size()
              && is.lastModifiedTime().toInstant().equals(entry.modified());
      if (mayBe) {
        return sum(StandingEntry.Kind.FILE, at, entry.size(), next.number());
      }
    }
    Path part = parent.at(NewFile.partName(entry.name()));
    if (!Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS) || FileKind.hasOtherNames(part)) {
      return StandingEntry.OTHER;
    }
    long bytes = Math.min(Files.size(part), entry.size());
    return bytes < NewFile.LEAST_KEPT_BYTES
        ? StandingEntry.OTHER
        : sum(StandingEntry.Kind.BEGINNING, part, bytes, next.number());
  }

  private StandingEntry sum(StandingEntry.Kind kind, Path at, long bytes, long number)
      throws IOException {
    Sha256Sum sum = new Sha256Sum(bytes);
    try (FileChannel file =
        FileChannel.open(at, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
      while (sum.left() > 0) {
        if (!coming.isComing(number) || sum.read(file, STEP_BYTES) <= 0) {
          return StandingEntry.OTHER;
        }
      }
    }
    return new StandingEntry(kind, bytes, sum.hex());
  }
}
