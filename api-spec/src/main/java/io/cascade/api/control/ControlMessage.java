package io.cascade.api.control;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A request, or the answer with its number.
 *
 * @param number number of the request, counted by the orchestrator for each connection, 0 or more
 * @param line of a request the method and the path with its query, such as {@code DELETE
 *     /control/v1/chains/ID?abort=true}; of an answer the status and the media type of its body,
 *     such as {@code 200 application/json}. At most {@link #MOST_LINE_BYTES} long
 * @param body UTF-8
 */
public record ControlMessage(long number, String line, String body) {
  public static final int MOST_LINE_BYTES = 1_024;

  /** Bytes of a body in one frame: at 10 Mbit/s it delays other messages by 13 ms. */
  static final int MOST_FRAME_BODY = 16 << 10;

  public ControlMessage {
    if (line.indexOf('\n') >= 0 || line.length() > MOST_LINE_BYTES) {
      throw new IllegalArgumentException(
          "line: " + line.length() + " characters (expected: one line of at most 1024)");
    }
  }

  /** The frames of this message, in order. */
  public List<ByteBuffer> frames() {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    List<ByteBuffer> frames = new ArrayList<>();
    int from = 0;
    do {
      int to = Math.min(bytes.length, from + MOST_FRAME_BODY);
      frames.add(
          new ControlFrame(
                  number,
                  to == bytes.length,
                  from == 0 ? line : "",
                  ByteBuffer.wrap(bytes, from, to - from))
              .encode());
      from = to;
    } while (from < bytes.length);
    return frames;
  }
}
