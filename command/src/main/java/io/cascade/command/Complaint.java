package io.cascade.command;

/** Something that the user can fix. Its message is the one line that is printed; exit code 1. */
public final class Complaint extends RuntimeException {
  public Complaint(String message) {
    super(message);
  }

  public Complaint(String message, Throwable cause) {
    super(message, cause);
  }
}
