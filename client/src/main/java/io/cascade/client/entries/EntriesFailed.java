package io.cascade.client.entries;

import io.cascade.command.Printable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Ends a stream of entries. The message names the entry and the fix, and is one printable line. */
public final class EntriesFailed extends IOException {
  private static final long serialVersionUID = 1;

  EntriesFailed(String message) {
    super(Printable.line(message));
  }

  EntriesFailed(String message, Throwable cause) {
    super(Printable.line(message), cause);
  }

  /** The system's message without the path, which may exist in this process only. */
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
