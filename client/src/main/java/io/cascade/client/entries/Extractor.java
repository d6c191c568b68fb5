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
 * Creates the entries of a stream below one folder. Not thread-safe.
 *
 * <p>Nothing is created outside of that folder: every folder on the path is held open and was
 * opened without following a link, and an entry has a single name in the open folder. Names arrive
 * in ascending order, so that none is repeated, and later entries cannot replace earlier ones.
 *
 * <p>An entry that cannot be created is refused by name, and the following ones are created. A
 * stream that the encoder cannot produce, or a full disk, ends the extraction.
 */
public final class Extractor implements AutoCloseable {
  /** Suffix of the names of incomplete files. */
  public static final String PART_SUFFIX = ".cascade-entry";

  /** Name of a file in the destination while entries arrive there; it remains after a kill. */
  public static final String UNDER_WAY = DestinationLock.NAME;

  /** The receiver has the whole entry, and nothing follows. */
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

  /** Bytes of the present entry's content that follow, without holes. */
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

  /** A folder on the path; one that was refused is not held, and nothing is created in it. */
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
   * @param destination folder below which entries are created; it is created if missing
   * @param overwrite whether files and links that exist are replaced, and folders that exist get
   *     the sender's permissions and times
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
   * Answers the sender's questions about entries to come.
   *
   * @param told called on a thread of its own with the number of the first entry, and what is found
   *     of it and those behind it
   */
  public void answers(BiConsumer<Long, List<StandingEntry>> told) {
    answers = told::accept;
  }

  /**
   * Extracts all bytes of the buffer.
   *
   * @throws IOException where the stream cannot continue; complete entries remain
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
   * Ends the stream.
   *
   * @throws EntriesFailed where it is incomplete
   */
  public Extracted finish() throws IOException {
    if (failed || !decoder.hasEnded()) {
      throw new EntriesFailed(
          "the stream of entries ended early %s; fix: send it again, which resumes there"
              .formatted(decoder.place()));
    }
    return soFar();
  }

  /** What the stream has created so far. */
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

  /** Handles what the decoder reports. */
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
        throw malformed("a keyword of a file without a file");
      }
      if (file != null) {
        refuse(entry, "the sender says that it " + reason);
      }
    }

    @Override
    public void ahead(List<Entry> entries) throws IOException {
      if (!coming.add(entries)) {
        throw malformed("more entries ahead than a sender requests");
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
          throw malformed("entry " + number + " is present but was not requested");
        }
        begin(entry, ALL);
        settle();
      }
    }

    @Override
    public void entryEnds() {
      progress.isWhole = true; // Whether the sender holds the same content is reported behind it.
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
        throw malformed(entry.path() + " arrives without its folder");
      }
      leave();
      level = levels.getFirst();
    }
    if (Names.compare(name, level.last) <= 0) {
      throw malformed(entry.path() + " arrives twice or out of order");
    }
    level.last = name;
    present = entry;
    if (level.folder == null) {
      refused.addUnnamed(1);
      enterRefused(entry);
      return;
    }
    if (NewFile.isPartName(name) || (parent.isEmpty() && name.equals(DestinationLock.NAME))) {
      refuse(entry, "its name is reserved by the receiver; fix: rename it");
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

  /** Counts a file that was compared with the sender's. */
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
      folder.make(entry.name()); // No other user gets in before its own permissions are set.
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

  /** State of an entry's name. */
  private enum Place {
    FREE,
    /** The existing file or link is replaced. */
    GIVES_WAY,
    /** A file of the same size and time, which stays if its content is the same as well. */
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

  /** Completes the previous entry or leaves it refused: the stream says no more of it. */
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
   * Sets a folder's permissions and time last: creating entries in it changes the time and may need
   * permission.
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
