package io.cascade.client.sending;

import io.cascade.client.entries.EntryListener;
import io.cascade.client.entries.EntrySource;
import io.cascade.client.entries.EntryWalk;
import io.cascade.client.entries.Exclusions;
import io.cascade.client.entries.FolderStream;
import io.cascade.client.entries.StandingEntry;
import io.cascade.client.entries.Troubles;
import io.cascade.client.transfer.Original;
import io.cascade.client.transfer.wire.TransferHeader;
import io.cascade.command.CommandException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Folders and files to send, as one stream of entries. On close it reports what was not sent. */
public final class SentEntries implements EntrySource {
  private final List<Path> sources;
  private final FolderStream stream;
  private final Consumer<String> told;

  private SentEntries(List<Path> sources, FolderStream stream, Consumer<String> told) {
    this.sources = sources;
    this.stream = stream;
    this.told = told;
  }

  /** Whether a name that a user gave is a folder's. */
  public static boolean isFolder(String file) {
    try {
      return !file.equals(SentFile.STDIN) && Files.isDirectory(Path.of(file));
    } catch (InvalidPathException e) {
      return false; // Opening the file will report it.
    }
  }

  /**
   * Opens the sources.
   *
   * @param told gets a line for each entry that was not sent, when this is closed
   * @throws CommandException where one of them cannot be read
   */
  public static SentEntries open(List<String> files, List<String> excluded, Consumer<String> told) {
    if (files.contains(SentFile.STDIN)) {
      throw new CommandException(
          "- is the standard input, which cannot be sent with other files; fix: send it alone");
    }
    List<Path> sources = files.stream().map(SentFile::path).toList();
    try {
      Exclusions exclusions = new Exclusions(excluded);
      EntryWalk walk = new EntryWalk(sources, exclusions);
      EntryWalk ahead = new EntryWalk(sources, exclusions);
      return new SentEntries(sources, new FolderStream(walk, ahead, EntryListener.SILENT), told);
    } catch (IllegalArgumentException e) {
      throw new CommandException("--exclude: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Header for the receiver: a name to display, and no size, which was not determined. */
  public TransferHeader header() {
    return Original.headerOfEntries(sources);
  }

  /**
   * Whether everything was sent unchanged; sockets and devices, which are never sent, do not count.
   */
  public synchronized boolean isWhole() {
    return stream.unread().count() == 0;
  }

  /** Called by the threads of several connections. */
  @Override
  public synchronized int read(ByteBuffer into) throws IOException {
    return stream.read(into);
  }

  @Override
  public boolean isWaiting() {
    return stream.isWaiting();
  }

  @Override
  public void answered(long first, List<StandingEntry> standing) {
    stream.answered(first, standing);
  }

  @Override
  public void answersLost() {
    stream.answersLost();
  }

  @Override
  public boolean isOpen() {
    return stream.isOpen();
  }

  @Override
  public synchronized void close() throws IOException {
    if (stream.isOpen()) {
      stream.close();
      tell("%d could not be sent as they are:", stream.unread());
      tell("%d were left out:", stream.special());
    }
  }

  private void tell(String count, Troubles troubles) {
    if (troubles.count() > 0) {
      told.accept(count.formatted(troubles.count()));
      troubles.lines().forEach(line -> told.accept("  " + line));
    }
  }
}
