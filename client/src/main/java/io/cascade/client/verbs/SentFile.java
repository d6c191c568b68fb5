package io.cascade.client.verbs;

import io.cascade.client.transfer.HeaderFields;
import io.cascade.client.transfer.Original;
import io.cascade.client.transfer.TransferHeader;
import io.cascade.command.CommandException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The file that {@code send} was given, or its standard input. */
final class SentFile {
  /** Name of the standard input on the command line. */
  static final String STDIN = "-";

  private SentFile() {}

  /**
   * Opens it.
   *
   * @throws CommandException where it cannot be read
   */
  static ReadableByteChannel open(String file) {
    if (file.equals(STDIN)) {
      return new FileInputStream(FileDescriptor.in).getChannel();
    }
    Path source = Path.of(file);
    if (Files.isDirectory(source)) {
      throw new CommandException(
          file + " is a folder: send an archive of it, tar c … | ./cascade send -");
    }
    try {
      return FileChannel.open(source);
    } catch (IOException e) {
      throw new CommandException(
          file + (Files.exists(source) ? ": cannot be read" : ": no such file"), e);
    }
  }

  /** The file as it is before it is read; the standard input has nothing to compare. */
  static Original original(String file) throws IOException {
    return file.equals(STDIN) ? Original.NONE : Original.of(Path.of(file));
  }

  /**
   * Returns what the receiver is told of the file; the size only of a regular file.
   *
   * @param name what the receiver calls it; null for its own name
   * @param original the file as it is
   * @throws CommandException where no receiver would take the name
   */
  static TransferHeader header(
      String file, @Nullable String name, ReadableByteChannel content, Original original)
      throws IOException {
    long size =
        !file.equals(STDIN)
                && Files.isRegularFile(Path.of(file))
                && content instanceof FileChannel regular
            ? regular.size()
            : TransferHeader.UNKNOWN_SIZE;
    try {
      return new TransferHeader(name == null ? nameOf(file) : name, size)
          .with(new HeaderFields(original.origin()));
    } catch (IllegalArgumentException e) {
      throw new CommandException("--name: " + e.getMessage(), e);
    }
  }

  private static String nameOf(String file) {
    if (file.equals(STDIN)) {
      return "stdin";
    }
    Path last = Path.of(file).getFileName();
    return last == null ? file : last.toString();
  }
}
