package io.cascade.client.transfer;

import java.io.IOException;

/** A transfer did not complete. The message says what happened and how far it had come. */
public final class TransferFailed extends IOException {
  private static final long serialVersionUID = 1;

  public TransferFailed(String message) {
    super(message);
  }

  public TransferFailed(String message, Throwable cause) {
    super(message, cause);
  }
}
