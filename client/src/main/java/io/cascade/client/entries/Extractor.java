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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
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
  /** After so many entries or bytes the journal is written, so that it costs little. */
  private static final int SAVED_ENTRIES = 64;

  private static final long SAVED_BYTES = 4L << 20;

  private static final String EXISTS = "exists already; the receiver overwrites with --overwrite";

  private final Path destination;
  private final boolean overwrite;
  private final EntryListener listener;
  private final CursorJournal journal;
  private final EntryDecoder decoder = new EntryDecoder(new Contents());
  private final Deque<Level> levels = new ArrayDeque<>();
  private final Troubles refused = new Troubles();
  private final Progress progress = new Progress();
  private @Nullable Entry present;
  private @Nullable EntryContent file;
  private @Nullable Cursor settled;
  private long savedOffset;
  private int unsaved;
  private boolean onlyFolders = true;
  private boolean resumed;
  private boolean failed;
  private boolean closed;
  private boolean forgets;
  private boolean finished;

  private static final class Progress {
    private long files;
    private long folders;
    private long links;
    private long bytes;
    private long offset;
    private boolean isWhole;
  }

  /** A folder on the way; one that was refused is not held, and nothing is made in it. */
  private static final class Level {
    private final String path;
    private final @Nullable Entry entry;
    private final @Nullable HeldFolder folder;
    private boolean own;
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
   *     the permissions and times of the sender's; needed where an earlier stream begins anew
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
      journal = CursorJournal.open(top, destination);
    } catch (IOException e) {
      top.close();
      throw e;
    }
    levels.push(new Level("", null, top, false));
  }

  /** How far an earlier stream to this destination came; the sender may go on from there. */
  public Optional<Cursor> cursor() {
    return journal.found().map(CursorJournal.Saved::cursor);
  }

  /** Entries that were refused, so far. */
  public Troubles refused() {
    return refused;
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
    journal.delete();
    finished = true;
    return soFar();
  }

  /** What stands of the stream so far. */
  public Extracted soFar() {
    return new Extracted(progress.files, progress.folders, progress.links, progress.bytes, refused);
  }

  /** Nothing is remembered of how far it comes: no stream will go on from there. */
  public void forget() {
    forgets = true;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (journal) {
      EntryContent begun = file;
      if (begun != null) {
        begun.drop();
      }
      if (forgets && !finished) { // Afterwards it may be another receiver's.
        journal.delete();
      } else if (!decoder.hasEnded()) {
        save();
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
    public void entry(Entry entry) throws IOException {
      settle();
      begin(entry);
    }

    @Override
    public void content(ByteBuffer bytes) throws IOException {
      EntryContent open = file;
      if (open == null) {
        return;
      }
      try {
        open.write(bytes);
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
    public void resumesAt(long offset) throws IOException {
      resume(offset);
    }

    @Override
    public void entryEnds(long offset) throws IOException {
      progress.offset = offset;
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

  private void begin(Entry entry) throws IOException {
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
    onlyFolders &= entry.kind() == Entry.Kind.FOLDER;
    if (level.folder == null) {
      refused.addUnnamed(1);
      enterRefused(entry);
      return;
    }
    if (name.equals(NewFile.NAME) || (parent.isEmpty() && name.equals(CursorJournal.NAME))) {
      refuse(entry, "its name is the receiver's own; fix: rename it");
      return;
    }
    try {
      make(entry, level.folder);
    } catch (IOException e) {
      refuse(entry, "cannot be made: " + EntriesFailed.reason(e));
    }
  }

  private void make(Entry entry, HeldFolder folder) throws IOException {
    listener.begins(Printable.line(entry.path()), entry.size());
    switch (entry.kind()) {
      case FOLDER -> makeFolder(entry, folder);
      case LINK -> makeLink(entry, folder);
      case FILE -> {
        switch (place(entry, folder)) {
          case FREE -> file = NewFile.create(folder, entry, false);
          case GIVES_WAY -> file = NewFile.create(folder, entry, true);
          case MAY_BE_THE_SAME -> file = FoundFile.open(folder, entry);
          case TAKEN -> {}
        }
      }
    }
  }

  private void makeFolder(Entry entry, HeldFolder folder) throws IOException {
    if (levels.size() == Names.MOST_LEVELS) {
      throw malformed(entry.path() + " is more than " + Names.MOST_LEVELS + " folders deep");
    }
    boolean own = true;
    Path at = folder.at(entry.name());
    try {
      // Nobody else gets in before its own permissions are set.
      Files.createDirectory(
          at, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
        refuse(entry, "something that is not a folder has its name; fix: rename that");
        return;
      }
      own = overwrite || resumed; // Made behind the cursor by the receiver before, most likely.
    }
    levels.push(new Level(entry.path(), entry, folder.folder(entry.name()), own));
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
    Path at = replaces ? folder.at(NewFile.NAME) : named;
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
      there =
          Files.readAttributes(
              folder.at(entry.name()), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
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
    boolean isSame =
        entry.kind() == Entry.Kind.FILE
            && there.isRegularFile()
            && there.size() == entry.size()
            && there.lastModifiedTime().toInstant().equals(entry.modified());
    if (isSame) {
      return Place.MAY_BE_THE_SAME;
    }
    if (resumed && there.isSymbolicLink()) {
      return Place.GIVES_WAY;
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
    settled = new Cursor(entry.path(), entry.size(), entry.modified(), progress.offset);
    present = null;
    progress.isWhole = false;
    if (++unsaved >= SAVED_ENTRIES || progress.offset - savedOffset >= SAVED_BYTES) {
      save();
    }
  }

  private void save() throws IOException {
    // Folders before an offset are said again, and are not how far the stream has come.
    if (!forgets
        && settled != null
        && unsaved > 0
        && !(cursor().isPresent() && onlyFolders && !resumed)) {
      journal.save(settled, refused.count());
      savedOffset = settled.offset();
      unsaved = 0;
    }
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

  private void resume(long offset) throws IOException {
    CursorJournal.Saved saved = journal.found().orElse(null);
    if (saved == null || saved.cursor().offset() != offset || !onlyFolders || resumed) {
      throw malformed("it goes on at byte " + offset + ", where this receiver is not");
    }
    settle();
    String path = saved.cursor().path();
    Level level = levels.getFirst();
    int slash = path.lastIndexOf('/');
    if (!level.path.equals(path)) {
      if (!level.path.equals(slash < 0 ? "" : path.substring(0, slash))) {
        throw malformed("it goes on behind " + path + " in another folder");
      }
      level.last = path.substring(slash + 1);
    }
    levels.forEach(around -> around.own = around.entry != null);
    resumed = true;
    refused.addUnnamed(saved.refused());
    settled = saved.cursor();
    savedOffset = offset;
    unsaved = 0;
    progress.offset = offset;
  }

  private EntriesFailed malformed(String what) {
    return new EntriesFailed(
        "the stream of entries is malformed %s: %s; fix: use the same version at both ends"
            .formatted(decoder.place(), what));
  }
}
