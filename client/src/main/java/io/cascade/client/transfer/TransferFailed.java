package io.cascade.client.transfer;

import java.io.IOException;

/** A transfer did not complete. The message says what happened and how far it had come. */
public final class TransferFailed extends IOException {
  private static final long serialVersionUID = 1;

  private final boolean keeps;

  public TransferFailed(String message) {
    this(message, false);
  }

  private TransferFailed(String message, boolean keeps) {
    super(message);
    this.keeps = keeps;
  }

  /** A failure after which another transfer of the same file goes on with what has arrived. */
  static TransferFailed keeping(String message) {
    return new TransferFailed(message, true);
  }

  /** Whether another transfer of the same file goes on with what has arrived. */
  boolean keeps() {
    return keeps;
  }

  public TransferFailed(String message, Throwable cause) {
    super(message, cause);
    this.keeps = false;
  }
}
