package io.cascade.api.control;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts the frames of one connection together. Not for several threads at a time. */
public final class ControlMessages {
  /** The longest frame that {@link #add} takes. */
  public static final int MOST_FRAME_BYTES = ControlFrame.MOST_BYTES;

  private final Map<Long, BegunMessage> begun = new HashMap<>();
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
