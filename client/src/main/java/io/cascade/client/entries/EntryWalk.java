package io.cascade.client.entries;

import io.cascade.client.entries.Entry.Kind;
import io.cascade.client.transfer.content.PermissionBits;
import io.cascade.kernel.SparseFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Walks files and folders depth first, the names of each folder in the order of their bytes, so
 * that two walks over the same tree yield the same entries. Symbolic links are entries and are not
 * followed, except for the sources themselves, which the user named. Hard links are separate files.
 * Holds the names of all folders on the path to the present entry.
 */
public final class EntryWalk implements AutoCloseable {
  /** Most names of one folder, all of which are held. */
  private static final int MOST_NAMES = 2_000_000;

  private static final int MOST_SOURCES = 10_000;

  /** Name of a source that stands for the content of a folder, without the folder itself. */
  private static final String CONTENTS = "";

  private final Exclusions exclusions;
  private final Troubles unread;
  private final Troubles special;
  private final Deque<Level> levels = new ArrayDeque<>();
  private final List<Source> sources;
  private int nextSource;
  private @Nullable Path present;

  private record Source(String name, Path path) {}

  /** A folder on the path, and its remaining names. */
  private static final class Level {
    private final HeldFolder folder;
    private final String path;
    private final List<String> names;
    private int next;

    Level(HeldFolder folder, String path, List<String> names) {
      this.folder = folder;
      this.path = path;
      this.names = names;
    }
  }

  /**
   * @param sources files and folders; each becomes an entry with its last name. A single one that
   *     ends in {@code .} stands for its content
   * @throws IOException where a source does not exist, has no name, or two sources have the same
   *     name
   */
  public EntryWalk(List<Path> sources, Exclusions exclusions) throws IOException {
    this(sources, exclusions, new Troubles(), new Troubles());
  }

  private EntryWalk(List<Path> sources, Exclusions exclusions, Troubles unread, Troubles special)
      throws IOException {
    if (sources.size() > MOST_SOURCES) {
      throw new EntriesFailed(
          "%d sources (expected: at most %d); fix: send the folder that they are in"
              .formatted(sources.size(), MOST_SOURCES));
    }
    this.exclusions = exclusions;
    this.unread = unread;
    this.special = special;
    this.sources = named(sources);
  }

  private static List<Source> named(List<Path> sources) throws IOException {
    List<Source> all = new ArrayList<>();
    for (Path source : sources) {
      Path real;
      try {
        real = source.toRealPath();
      } catch (IOException e) {
        throw new EntriesFailed("cannot read " + source + ": " + EntriesFailed.reason(e), e);
      }
      if (source.endsWith(".") && sources.size() == 1) {
        return List.of(new Source(CONTENTS, real));
      }
      Path plain = source.toAbsolutePath().normalize();
      // "a/.." has the name of the resolved folder.
      Path last = source.endsWith("..") || source.endsWith(".") ? real : plain;
      String name =
          Names.last(last)
              .filter(Names::isName)
              .orElseThrow(() ->
                  new EntriesFailed(
                      source + " has no name that can be sent; fix: send what is in it"));
      all.add(new Source(name, real));
    }
    all.sort((a, b) -> Names.compare(a.name(), b.name()));
    for (int i = 1; i < all.size(); i++) {
      if (all.get(i).name().equals(all.get(i - 1).name())) {
        throw new EntriesFailed(
            "two sources are called %s: %s and %s; fix: send one after the other"
                .formatted(all.get(i).name(), all.get(i - 1).path(), all.get(i).path()));
      }
    }
    return List.copyOf(all);
  }

  /** Entries that could not be read, by name. */
  public Troubles unread() {
    return unread;
  }

  /** Sockets, devices and named pipes, which are not sent. */
  public Troubles special() {
    return special;
  }

  /** Returns the next entry; null after the last one. */
  @Nullable Entry next() {
    while (true) {
      Level level = levels.peek();
      if (level == null) {
        if (nextSource == sources.size()) {
          present = null;
          return null;
        }
        Source source = sources.get(nextSource++);
        Entry entry = look(source.path(), source.name(), null, "");
        if (entry != null && !source.name().equals(CONTENTS)) {
          return entry;
        }
      } else if (level.next == level.names.size()) {
        levels.pop().folder.close();
      } else {
        String name = level.names.get(level.next++);
        String path = level.path.equals(CONTENTS) ? name : level.path + "/" + name;
        Entry entry = look(level.folder.at(name), path, level.folder, name);
        if (entry != null) {
          return entry;
        }
      }
    }
  }

  private @Nullable Entry look(Path at, String path, @Nullable HeldFolder parent, String name) {
    try {
      PosixFileAttributes is =
          Files.readAttributes(at, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (leavesOut(path, is.isDirectory())) {
        return null;
      }
      if (is.isOther()) {
        special.add(path, "not sent: a socket, a device or a named pipe");
        return null;
      }
      String target = "";
      if (is.isSymbolicLink()) {
        Optional<String> says = Names.text(Files.readSymbolicLink(at));
        if (says.isEmpty()) {
          unread.add(path, "its target is not UTF-8; fix: create the link again");
          return null;
        }
        target = says.get();
      }
      Entry entry = entry(path, is, target);
      if (is.isDirectory()) {
        return enter(at, entry, parent, name) ? entry : null;
      }
      present = at;
      return entry;
    } catch (IOException e) {
      unread.add(path, "cannot be read: " + EntriesFailed.reason(e));
      return null;
    }
  }

  private boolean leavesOut(String path, boolean isFolder) {
    if (isOfContents()) {
      return !path.equals(CONTENTS) && exclusions.leavesOut(path, isFolder);
    }
    int below = path.indexOf('/');
    String compared = below < 0 ? path : path.substring(below + 1);
    return below >= 0 && exclusions.leavesOut(compared, isFolder);
  }

  private boolean isOfContents() {
    return sources.getFirst().name().equals(CONTENTS);
  }

  private static Entry entry(String path, PosixFileAttributes is, String target) {
    Kind kind = is.isDirectory() ? Kind.FOLDER : is.isSymbolicLink() ? Kind.LINK : Kind.FILE;
    return new Entry(
        path,
        kind,
        kind == Kind.FILE ? is.size() : 0,
        is.lastModifiedTime().toInstant(),
        PermissionBits.of(is.permissions()),
        target);
  }

  private boolean enter(Path at, Entry entry, @Nullable HeldFolder parent, String name)
      throws IOException {
    if (levels.size() == Names.MOST_LEVELS - 1) {
      unread.add(
          entry.path(),
          "is more than %d folders deep; fix: send a folder further down"
              .formatted(Names.MOST_LEVELS - 1));
      return false;
    }
    HeldFolder folder = parent == null ? HeldFolder.open(at) : parent.folder(name);
    try {
      levels.push(new Level(folder, entry.path(), names(folder, entry.path())));
      return true;
    } catch (IOException e) {
      folder.close();
      throw e;
    }
  }

  private List<String> names(HeldFolder folder, String path) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder.path())) {
      for (Path one : all) {
        Optional<String> name = Names.last(one).filter(Names::isName);
        if (name.isEmpty()) {
          unread.add(path + "/" + one.getFileName(), "its name is not UTF-8; fix: rename it");
        } else if (names.size() == MOST_NAMES) {
          throw new EntriesFailed(
              "more than %d names in one folder; fix: send its parts".formatted(MOST_NAMES));
        } else {
          names.add(name.get());
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    names.sort(Names::compare);
    return names;
  }

  /** Opens the file that {@link #next} returned. */
  FileChannel open() throws IOException {
    return FileChannel.open(file(), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  }

  /** Size, time and identity of the file that {@link #next} returned, as they are now. */
  PosixFileAttributes attributes() throws IOException {
    return Files.readAttributes(file(), PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  private Path file() {
    if (present == null) {
      throw new IllegalStateException("there is no file");
    }
    return present;
  }

  /** Skips the rest of a folder that the walk is in. */
  void leave(String folder) {
    Level level = levels.peek();
    while (level != null && (level.path + "/").startsWith(folder + "/")) {
      levels.pop().folder.close();
      level = levels.peek();
    }
  }

  /**
   * The ranges of the file that {@link #next} returned that hold data, from a position on.
   *
   * @return null where it has no holes, or the file system does not report them
   */
  @Nullable DataMap data(Entry entry, long from) {
    Level level = levels.peek();
    if (entry.size() < DataMap.LEAST_FILE_BYTES || !SparseFile.isAvailable()) {
      return null;
    }
    try (SparseFile file =
        level == null ? SparseFile.toRead(file()) : level.folder.holes(entry.name(), false)) {
      return DataMap.of(file, from, entry.size());
    } catch (IOException e) {
      return null; // The holes are read as zeros.
    }
  }

  @Override
  public void close() {
    levels.forEach(level -> level.folder.close());
    levels.clear();
    nextSource = sources.size();
  }
}
