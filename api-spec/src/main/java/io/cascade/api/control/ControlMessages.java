package io.cascade.api.control;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Assembles the messages of one connection from their frames. Not thread-safe. */
public final class ControlMessages {
  /** The longest frame that {@link #add} accepts. */
  public static final int MOST_FRAME_BYTES = ControlFrame.MOST_BYTES;

  private final Map<Long, BegunMessage> begun = new HashMap<>();
  private final int mostBegun;
  private final long mostBytes;
  private long held;

  /**
   * @param mostBegun most incomplete messages
   * @param mostBytes most bytes of all of them together
   */
  public ControlMessages(int mostBegun, long mostBytes) {
    this.mostBegun = mostBegun;
    this.mostBytes = mostBytes;
  }

  /**
   * Adds the next frame.
   *
   * @return the message that it completes, or null
   * @throws IllegalArgumentException if it is not a frame, or a limit of incomplete messages is
   *     exceeded; the connection has to be closed
   */
  public @Nullable ControlMessage add(ByteBuffer bytes) {
    ControlFrame frame = ControlFrame.decode(bytes);
    BegunMessage before = begun.get(frame.number());
    if (before == null && begun.size() >= mostBegun) {
      throw new IllegalArgumentException("more than " + mostBegun + " messages at a time");
    }
    held += frame.body().remaining();
    if (held > mostBytes) {
      throw new IllegalArgumentException("more than " + mostBytes + " bytes of messages at a time");
    }
    BegunMessage message = BegunMessage.with(frame, before);
    if (!frame.isLast()) {
      begun.put(frame.number(), message);
      return null;
    }
    begun.remove(frame.number());
    held -= message.bytes();
    return message.whole();
  }
}
