package io.cascade.client.entries;

import io.cascade.command.Printable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates the entries of a stream below one folder. For one thread.
 *
 * <p>Nothing is made outside of that folder: every folder on the way is held open and was opened
 * without following a link, and an entry has one name in the folder that is open. Names come in
 * ascending order, so that none comes twice, and nothing that was made is replaced by what follows.
 *
 * <p>An entry that cannot be made is refused by name, and the rest goes on. A stream that the
 * encoder would not make ends everything, as does a disk that is full.
 */
public final class Extractor implements AutoCloseable {
  /** End of the names of files that are not whole. */
  public static final String PART_SUFFIX = ".cascade-entry";

  /** Name of a file in the destination while entries arrive there, or after a kill. */
  public static final String UNDER_WAY = DestinationLock.NAME;

  /** All of an entry stands here, and nothing follows. */
  private static final long ALL = -1;

  private static final String EXISTS = "exists already; the receiver overwrites with --overwrite";

  private final Path destination;
  private final boolean overwrite;
  private final EntryListener listener;
  private final DestinationLock lock;
  private final EntryDecoder decoder = new EntryDecoder(new Contents());
  private final Deque<Level> levels = new ArrayDeque<>();
  private final Troubles refused = new Troubles();
  private final Progress progress = new Progress();
  private final ComingEntries coming = new ComingEntries();
  private StandingEntries.@Nullable Answers answers;
  private boolean looks;
  private @Nullable Entry present;

  /** Bytes of its content that follow, without holes. */
  private long arrivingBytes;

  private @Nullable EntryContent file;
  private boolean failed;
  private boolean closed;

  private static final class Progress {
    private long files;
    private long folders;
    private long links;
    private long bytes;
    private boolean isWhole;
  }

  /** A folder on the way; one that was refused is not held, and nothing is made in it. */
  private static final class Level {
    private final String path;
    private final @Nullable Entry entry;
    private final @Nullable HeldFolder folder;
    private final boolean own;
    private String last = "";

    Level(String path, @Nullable Entry entry, @Nullable HeldFolder folder, boolean own) {
      this.path = path;
      this.entry = entry;
      this.folder = folder;
      this.own = own;
    }
  }

  /**
   * @param destination folder below which entries are made; it is made where there is none
   * @param overwrite whether files and links that exist are replaced, and folders that exist take
   *     the permissions and times of the sender's
   * @throws IOException where the folder cannot be written, or another receiver writes to it
   */
  public Extractor(Path destination, boolean overwrite, EntryListener listener) throws IOException {
    this.destination = destination;
    this.overwrite = overwrite;
    this.listener = listener;
    try {
      Files.createDirectories(destination);
    } catch (IOException e) {
      throw new EntriesFailed(
          "cannot make %s: %s; fix: --output with a folder"
              .formatted(destination, EntriesFailed.reason(e)),
          e);
    }
    HeldFolder top = HeldFolder.open(destination);
    try {
      lock = DestinationLock.open(top, destination);
    } catch (IOException e) {
      top.close();
      throw e;
    }
    levels.push(new Level("", null, top, false));
  }

  /**
   * The sender hears what stands of the entries that it asks for.
   *
   * @param told by a thread of its own: the number of the first entry, and what stands of it and
   *     those behind it
   */
  public void answers(BiConsumer<Long, List<StandingEntry>> told) {
    answers = told::accept;
  }

  /**
   * Takes all bytes of the buffer.
   *
   * @throws IOException where nothing more can come of the stream; what stands whole stays
   */
  public void accept(ByteBuffer bytes) throws IOException {
    if (failed || closed) {
      throw new EntriesFailed("entries for " + destination + " have ended");
    }
    failed = true;
    decoder.accept(bytes);
    failed = false;
  }

  /**
   * The stream has ended.
   *
   * @throws EntriesFailed where it is not whole
   */
  public Extracted finish() throws IOException {
    if (failed || !decoder.hasEnded()) {
      throw new EntriesFailed(
          "the stream of entries broke off %s; fix: send it again, it goes on from there"
              .formatted(decoder.place()));
    }
    return soFar();
  }

  /** What stands of the stream so far. */
  public Extracted soFar() {
    return new Extracted(progress.files, progress.folders, progress.links, progress.bytes, refused);
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    coming.close();
    try (lock) {
      EntryContent begun = file;
      if (begun != null) {
        begun.leave();
      }
    } finally {
      for (Level level : levels) {
        if (level.folder != null) {
          level.folder.close();
        }
      }
      levels.clear();
    }
  }

  /** What the decoder tells. */
  private final class Contents implements EntryDecoder.Listener {
    @Override
    public void entry(Entry entry, long standing, long contentBytes) throws IOException {
      settle();
      arrivingBytes = contentBytes;
      coming.passed(entry);
      begin(entry, standing);
    }

    @Override
    public void content(ByteBuffer bytes, long offset) throws IOException {
      EntryContent open = file;
      if (open == null) {
        return;
      }
      try {
        open.write(bytes, offset);
      } catch (IOException e) {
        throw new EntriesFailed(
            "cannot write %s in %s: %s; fix: make room, and send it again"
                .formatted(path(present), destination, EntriesFailed.reason(e)),
            e);
      }
    }

    @Override
    public void spoilt(String reason) throws IOException {
      Entry entry = present;
      if (entry == null || entry.kind() != Entry.Kind.FILE || !progress.isWhole) {
        throw malformed("a word on a file without a file");
      }
      if (file != null) {
        refuse(entry, "the sender says that it " + reason);
      }
    }

    @Override
    public void ahead(List<Entry> entries) throws IOException {
      if (!coming.add(entries)) {
        throw malformed("more entries ahead than a sender asks for");
      }
      StandingEntries.Answers told = answers;
      if (told != null && !looks) {
        looks = true;
        new StandingEntries(destination, coming, told).start();
      }
    }

    @Override
    public void stand(long first, long count) throws IOException {
      settle();
      for (long number = first; number < first + count; number++) {
        Entry entry = coming.take(number);
        if (entry == null) {
          throw malformed("entry " + number + " stands, which was not asked for");
        }
        begin(entry, ALL);
        settle();
      }
    }

    @Override
    public void entryEnds() {
      progress.isWhole = true; // Whether it is what the sender has is said behind it.
    }

    @Override
    public void end() throws IOException {
      settle();
      while (levels.size() > 1) {
        leave();
      }
    }
  }

  private static String path(@Nullable Entry entry) {
    return entry == null ? "nothing" : entry.path();
  }

  private void begin(Entry entry, long standing) throws IOException {
    int slash = entry.path().lastIndexOf('/');
    String parent = slash < 0 ? "" : entry.path().substring(0, slash);
    String name = entry.name();
    if (slash == 0 || !Names.isName(name)) {
      throw malformed("an entry whose name is '" + entry.path() + "'");
    }
    Level level = levels.getFirst();
    while (!level.path.equals(parent)) {
      if (levels.size() == 1) {
        throw malformed(entry.path() + " comes without its folder");
      }
      leave();
      level = levels.getFirst();
    }
    if (Names.compare(name, level.last) <= 0) {
      throw malformed(entry.path() + " comes twice or out of order");
    }
    level.last = name;
    present = entry;
    if (level.folder == null) {
      refused.addUnnamed(1);
      enterRefused(entry);
      return;
    }
    if (NewFile.isPartName(name) || (parent.isEmpty() && name.equals(DestinationLock.NAME))) {
      refuse(entry, "its name is the receiver's own; fix: rename it");
      return;
    }
    try {
      make(entry, level.folder, standing);
    } catch (IOException e) {
      refuse(entry, "cannot be made: " + EntriesFailed.reason(e));
    }
  }

  private void make(Entry entry, HeldFolder folder, long standing) throws IOException {
    listener.begins(Printable.line(entry.path()), entry.size());
    switch (entry.kind()) {
      case FOLDER -> makeFolder(entry, folder);
      case LINK -> makeLink(entry, folder);
      case FILE -> {
        if (standing == ALL) {
          count(entry, folder);
        } else {
          makeFile(entry, folder, standing);
        }
      }
    }
  }

  private void makeFile(Entry entry, HeldFolder folder, long standing) throws IOException {
    Place place = place(entry, folder);
    switch (place) {
      case FREE, GIVES_WAY ->
          file =
              NewFile.open(folder, entry, standing, place == Place.GIVES_WAY)
                  .expecting(arrivingBytes);
      case MAY_BE_THE_SAME -> file = FoundFile.open(folder, entry);
      case TAKEN -> {}
    }
  }

  /** The file that stands there was compared with the sender's. */
  private void count(Entry entry, HeldFolder folder) throws IOException {
    Path at = folder.at(entry.name());
    if (!looksLike(entry, look(at))) {
      refuse(entry, "changed here while it was compared; fix: send it again");
      return;
    }
    if (overwrite) {
      FilePermissions.set(at, entry.permissions());
    }
    progress.files++;
    progress.bytes += entry.size();
  }

  private static BasicFileAttributes look(Path at) throws IOException {
    return Files.readAttributes(at, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  private static boolean looksLike(Entry entry, BasicFileAttributes there) {
    return entry.kind() == Entry.Kind.FILE
        && there.isRegularFile()
        && there.size() == entry.size()
        && there.lastModifiedTime().toInstant().equals(entry.modified());
  }

  private void makeFolder(Entry entry, HeldFolder folder) throws IOException {
    if (levels.size() == Names.MOST_LEVELS) {
      throw malformed(entry.path() + " is more than " + Names.MOST_LEVELS + " folders deep");
    }
    boolean isNew = true;
    try {
      folder.make(entry.name()); // Nobody else gets in before its own permissions are set.
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder.at(entry.name()), LinkOption.NOFOLLOW_LINKS)) {
        refuse(entry, "something that is not a folder has its name; fix: rename that");
        return;
      }
      isNew = false;
    }
    HeldFolder made = folder.folder(entry.name());
    boolean own = isNew || overwrite || made.isInTheMaking();
    levels.push(new Level(entry.path(), entry, made, own));
    progress.folders++;
  }

  private void enterRefused(Entry entry) {
    if (entry.kind() == Entry.Kind.FOLDER) {
      levels.push(new Level(entry.path(), entry, null, false));
    }
  }

  private void makeLink(Entry entry, HeldFolder folder) throws IOException {
    if (!SafeTarget.staysBelow(entry.path(), entry.target())) {
      refuse(entry, "a link to %s, which leads out of the folder".formatted(entry.target()));
      return;
    }
    Path target = Names.path(entry.target());
    Path named = folder.at(entry.name());
    if (Files.isSymbolicLink(named) && Files.readSymbolicLink(named).equals(target)) {
      progress.links++;
      return;
    }
    Place place = place(entry, folder);
    if (place == Place.TAKEN) {
      return;
    }
    boolean replaces = place != Place.FREE;
    Path at = replaces ? NewFile.part(folder, entry) : named;
    if (replaces) {
      Files.deleteIfExists(at);
    }
    Files.createSymbolicLink(at, target);
    Files.getFileAttributeView(at, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .setTimes(FileTime.from(entry.modified()), null, null);
    if (replaces) {
      Files.move(at, named, StandardCopyOption.ATOMIC_MOVE);
    }
    progress.links++;
  }

  /** What has an entry's name. */
  private enum Place {
    FREE,
    /** It is replaced. */
    GIVES_WAY,
    /** A file of the same size and time, which stays where its content is the same as well. */
    MAY_BE_THE_SAME,
    /** The entry was refused. */
    TAKEN
  }

  private Place place(Entry entry, HeldFolder folder) throws IOException {
    BasicFileAttributes there;
    try {
      there = look(folder.at(entry.name()));
    } catch (NoSuchFileException e) {
      return Place.FREE;
    }
    if (there.isDirectory() || there.isOther()) {
      refuse(entry, "a folder or a device has its name; fix: rename that");
      return Place.TAKEN;
    }
    if (overwrite) {
      return Place.GIVES_WAY;
    }
    if (looksLike(entry, there)) {
      return Place.MAY_BE_THE_SAME;
    }
    refuse(entry, EXISTS);
    return Place.TAKEN;
  }

  private void refuse(Entry entry, String reason) {
    EntryContent begun = file;
    if (begun != null) {
      begun.drop();
      file = null;
    }
    refused.add(entry.path(), reason);
    enterRefused(entry);
  }

  /** The entry before stands, or is refused: nothing more is said of it. */
  private void settle() throws IOException {
    Entry entry = present;
    if (entry == null) {
      return;
    }
    EntryContent whole = file;
    if (whole instanceof FoundFile found && found.differs()) {
      refuse(entry, EXISTS);
    } else if (whole != null) {
      try {
        whole.commit();
        file = null;
        progress.files++;
        progress.bytes += entry.size();
      } catch (IOException e) {
        refuse(entry, "cannot be given its name: " + EntriesFailed.reason(e));
      }
    }
    present = null;
    progress.isWhole = false;
  }

  /**
   * Its permissions and time last: what is made in it changes the time, and may need permission.
   */
  private void leave() throws IOException {
    Level level = levels.pop();
    Entry entry = level.entry;
    HeldFolder folder = level.folder;
    if (folder == null || entry == null) {
      return;
    }
    try (folder) {
      if (level.own) {
        Files.setLastModifiedTime(folder.path(), FileTime.from(entry.modified()));
        Files.setPosixFilePermissions(folder.path(), entry.permissions());
      }
    } catch (IOException e) {
      refused.add(
          entry.path(), "its time and permissions cannot be set: " + EntriesFailed.reason(e));
    }
  }

  private EntriesFailed malformed(String what) {
    return new EntriesFailed(
        "the stream of entries is malformed %s: %s; fix: use the same version at both ends"
            .formatted(decoder.place(), what));
  }
}
