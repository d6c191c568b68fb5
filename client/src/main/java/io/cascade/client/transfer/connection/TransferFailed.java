package io.cascade.client.transfer.connection;

import java.io.IOException;

/** A transfer did not complete. The message says what happened and how many bytes had arrived. */
public final class TransferFailed extends IOException {
  private static final long serialVersionUID = 1;

  private final boolean keeps;
  private final Path path;

  /** State of the path to the receiver. */
  public enum Path {
    /** The path is not the reason of the failure. */
    STOOD,
    /** No connection could be established. */
    NOT_REACHED,
    /** Connections were established, and no receiver answered over them. */
    UNANSWERED,
    /** The last connection failed before anything had arrived. */
    LOST_AT_ONCE,
    /** The last connection failed after something had arrived. */
    LOST_LATER
  }

  public TransferFailed(String message) {
    this(message, false, Path.STOOD);
  }

  private TransferFailed(String message, boolean keeps, Path path) {
    super(message);
    this.keeps = keeps;
    this.path = path;
  }

  /** A failure after which another transfer of the same file resumes from what has arrived. */
  public static TransferFailed keeping(String message) {
    return new TransferFailed(message, true, Path.STOOD);
  }

  /**
   * The last connection failed.
   *
   * @param arrived whether something had arrived before
   */
  public static TransferFailed lost(String message, boolean arrived) {
    return new TransferFailed(message, true, arrived ? Path.LOST_LATER : Path.LOST_AT_ONCE);
  }

  /** No connection could be established. */
  static TransferFailed notReached(String message) {
    return new TransferFailed(message, false, Path.NOT_REACHED);
  }

  /** Connections were established, and no receiver answered over them. */
  public static TransferFailed unanswered(String message) {
    return new TransferFailed(message, true, Path.UNANSWERED);
  }

  /** State of the path to the receiver. */
  public Path path() {
    return path;
  }

  /** Whether another transfer of the same file resumes from what has arrived. */
  public boolean keeps() {
    return keeps;
  }

  public TransferFailed(String message, Throwable cause) {
    super(message, cause);
    this.keeps = false;
    this.path = cause instanceof TransferFailed before ? before.path : Path.STOOD;
  }
}
