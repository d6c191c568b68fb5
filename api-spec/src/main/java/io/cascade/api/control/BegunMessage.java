package io.cascade.api.control;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A message of which some frames have arrived. Not thread-safe. */
final class BegunMessage {
  private final long number;
  private final String line;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();

  private BegunMessage(long number, String line) {
    this.number = number;
    this.line = line;
  }

  /**
   * The message with its next frame.
   *
   * @param before the message so far; null if the frame is its first
   * @throws IllegalArgumentException if the frame begins another message
   */
  static BegunMessage with(ControlFrame frame, @Nullable BegunMessage before) {
    if (before != null && !frame.line().isEmpty()) {
      throw new IllegalArgumentException("message " + frame.number() + " begins twice");
    }
    BegunMessage message = before == null ? new BegunMessage(frame.number(), frame.line()) : before;
    ByteBuffer part = frame.body();
    byte[] bytes = new byte[part.remaining()];
    part.get(bytes);
    message.body.writeBytes(bytes);
    return message;
  }

  /** Bytes of the body that have arrived. */
  int bytes() {
    return body.size();
  }

  /** The message, when no frame is missing. */
  ControlMessage whole() {
    return new ControlMessage(number, line, body.toString(StandardCharsets.UTF_8));
  }
}
