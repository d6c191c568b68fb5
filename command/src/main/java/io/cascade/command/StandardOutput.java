package io.cascade.command;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Standard output whose failures end the verb. {@link PrintWriter} hides them, so that a verb that
 * follows a stream would continue for ever after its reader has ended.
 */
public final class StandardOutput extends OutputStream {
  private static final Path DESCRIPTOR = Path.of("/proc/self/fd/1");
  private static final int TYPE = 0170000;
  private static final int PIPE = 0010000;
  private static final int SOCKET = 0140000;

  private final OutputStream file;

  StandardOutput(OutputStream file) {
    this.file = file;
  }

  /** Flushes at every line. */
  static PrintWriter writer() {
    return new PrintWriter(
        new StandardOutput(new FileOutputStream(FileDescriptor.out)),
        true,
        Charset.forName(System.getProperty("stdout.encoding", "UTF-8"), Charset.defaultCharset()));
  }

  /** The reader has ended. This is not an error: further output is dropped. */
  public static final class ReaderGone extends RuntimeException {
    private static final String WORDS = "standard output was closed by its reader";

    ReaderGone(IOException cause) {
      super(WORDS, cause);
    }

    /** The reader's end was found before anything was written. */
    public ReaderGone() {
      super(WORDS);
    }
  }

  @Override
  public void write(int one) {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) {
    try {
      file.write(bytes, from, count);
    } catch (IOException e) {
      if (hasReader()) {
        throw new ReaderGone(e);
      }
      throw new CommandException("cannot write the output: " + e.getMessage(), e);
    }
  }

  /** Whether standard output is a pipe or a socket (inode(7)). */
  private static boolean hasReader() {
    try {
      int type = (int) Files.getAttribute(DESCRIPTOR, "unix:mode") & TYPE;
      return type == PIPE || type == SOCKET;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return true;
    }
  }
}
