package io.cascade.client.entries;

import io.cascade.command.Printable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/**
 * A stream of entries cannot go on. The message names the entry and the fix, and is one printable
 * line.
 */
public final class EntriesFailed extends IOException {
  private static final long serialVersionUID = 1;

  EntriesFailed(String message) {
    super(Printable.line(message));
  }

  EntriesFailed(String message, Throwable cause) {
    super(Printable.line(message), cause);
  }

  /** What the system said, without the path, which may be one that only this process has. */
  static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file or folder";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "it exists already";
    }
    if (e instanceof FileSystemException failure) {
      return failure.getReason() == null
          ? failure.getClass().getSimpleName()
          : String.valueOf(failure.getReason());
    }
    return String.valueOf(e.getMessage());
  }
}
