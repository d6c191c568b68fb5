package io.cascade.command;

/** A failure that the user can fix. Its message is the one line that is printed; exit code 1. */
public final class CommandException extends RuntimeException {
  public CommandException(String message) {
    super(message);
  }

  public CommandException(String message, Throwable cause) {
    super(message, cause);
  }
}
