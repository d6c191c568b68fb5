package io.cascade.api.control;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts the frames of one connection together. Not for several threads at a time. */
public final class ControlMessages {
  /** The longest frame that {@link #add} takes. */
  public static final int MOST_FRAME_BYTES = ControlFrame.MOST_BYTES;

  private final Map<Long, Begun> begun = new HashMap<>();
  private final int mostBegun;
  private final long mostBytes;
  private long held;

  /**
   * @param mostBegun messages of which some frames are there and others are not
   * @param mostBytes that those have together
   */
  public ControlMessages(int mostBegun, long mostBytes) {
    this.mostBegun = mostBegun;
    this.mostBytes = mostBytes;
  }

  /**
   * Takes the next frame.
   *
   * @return the message that is whole with it, or null
   * @throws IllegalArgumentException where it is no frame, or more is begun than may be: the
   *     connection is of no use any more
   */
  public @Nullable ControlMessage add(ByteBuffer bytes) {
    ControlFrame frame = ControlFrame.decode(bytes);
    Begun message = begun.get(frame.number());
    if (message == null) {
      if (begun.size() >= mostBegun) {
        throw new IllegalArgumentException("more than " + mostBegun + " messages at a time");
      }
      message = new Begun(frame.line());
      begun.put(frame.number(), message);
    } else if (!frame.line().isEmpty()) {
      throw new IllegalArgumentException("message " + frame.number() + " begins twice");
    }
    held += frame.body().remaining();
    if (held > mostBytes) {
      throw new IllegalArgumentException("more than " + mostBytes + " bytes of messages at a time");
    }
    message.add(frame.body());
    if (!frame.isLast()) {
      return null;
    }
    begun.remove(frame.number());
    held -= message.body.size();
    return new ControlMessage(
        frame.number(), message.line, message.body.toString(StandardCharsets.UTF_8));
  }

  private static final class Begun {
    private final String line;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    Begun(String line) {
      this.line = line;
    }

    void add(ByteBuffer part) {
      byte[] bytes = new byte[part.remaining()];
      part.get(bytes);
      body.writeBytes(bytes);
    }
  }
}
