package io.cascade.carriage.transport;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A failure of a connection that says which one it is. */
public class ConnectionFailure extends IOException {
  private static final long serialVersionUID = 1;

  private final ConnectionError error;

  public ConnectionFailure(ConnectionError error, String message) {
    this(error, message, null);
  }

  public ConnectionFailure(ConnectionError error, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.error = error;
  }

  public ConnectionError error() {
    return error;
  }
}
