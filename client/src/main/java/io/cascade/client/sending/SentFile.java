package io.cascade.client.sending;

import io.cascade.client.transfer.FileName;
import io.cascade.client.transfer.Original;
import io.cascade.client.transfer.wire.TransferHeader;
import io.cascade.command.CommandException;
import io.cascade.command.Printable;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file to send, or the standard input. */
final class SentFile {
  /** Name of the standard input on the command line. */
  static final String STDIN = "-";

  /** The JDK's replacement for bytes of an argument that the locale's charset cannot decode. */
  private static final char REPLACEMENT = '\ufffd';

  private SentFile() {}

  /**
   * Opens the file.
   *
   * @throws CommandException where it cannot be read
   */
  static ReadableByteChannel open(String file) {
    if (file.equals(STDIN)) {
      return new FileInputStream(FileDescriptor.in).getChannel();
    }
    Path source = path(file);
    try {
      return FileChannel.open(source);
    } catch (IOException e) {
      if (file.indexOf(REPLACEMENT) >= 0 && !Files.exists(source)) {
        throw new CommandException(notOfThisLocale(file), e);
      }
      throw new CommandException(
          file + (Files.exists(source) ? ": cannot be read" : ": no such file"), e);
    }
  }

  /** Properties of the file before it is read; the standard input has none to compare. */
  static Original original(String file) throws IOException {
    return file.equals(STDIN) ? Original.NONE : Original.of(Path.of(file));
  }

  /**
   * Returns the header of the file for the receiver; the size only of a regular file.
   *
   * @param name what the receiver calls it; null for its own name
   * @param original the file's properties
   * @throws CommandException where the name is not allowed
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
    String sent = name == null ? nameOf(file) : name;
    String objection = FileName.objection(sent);
    if (objection != null) {
      throw new CommandException(objection);
    }
    return new TransferHeader(sent, size).with(original.fields());
  }

  /**
   * @throws CommandException where it cannot be the name of a file
   */
  static Path path(String file) {
    try {
      return Path.of(file);
    } catch (InvalidPathException e) {
      throw new CommandException(notOfThisLocale(file), e);
    }
  }

  private static String notOfThisLocale(String file) {
    return ("%s: its name is not UTF-8, or has characters that the locale lacks; fix: ./cascade send"
            + " - --name NAME < FILE")
        .formatted(Printable.line(file));
  }

  private static String nameOf(String file) {
    if (file.equals(STDIN)) {
      return "stdin";
    }
    Path last = Path.of(file).getFileName();
    return last == null ? file : last.toString();
  }
}
