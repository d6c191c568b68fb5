package io.cascade.api.control;

import io.cascade.testing.FuzzTest;
import java.nio.ByteBuffer;
import java.util.stream.Stream;

/** Frames of a control connection, each behind its length in two bytes. */
class ControlMessagesFuzzTest extends FuzzTest {
  private static final int MOST_BEGUN = 4;
  private static final long MOST_BYTES = 1 << 16;

  @Override
  protected Stream<byte[]> seeds() {
    return Stream.of(
        frames(new ControlMessage(1, "GET /control/v1/status", "")),
        frames(new ControlMessage(2, "200 application/json", "{}".repeat(10))),
        frames(new ControlMessage(3, "POST /x", "a".repeat(17_000))));
  }

  private static byte[] frames(ControlMessage message) {
    ByteBuffer all = ByteBuffer.allocate(20_000);
    for (ByteBuffer frame : message.frames()) {
      all.putShort((short) frame.remaining()).put(frame);
    }
    return java.util.Arrays.copyOf(all.array(), all.position());
  }

  @Override
  protected void parse(byte[] input) {
    ControlMessages messages = new ControlMessages(MOST_BEGUN, MOST_BYTES);
    ByteBuffer in = ByteBuffer.wrap(input);
    try {
      while (in.remaining() > 2) {
        int length = Math.min(in.getShort() & 0xffff, in.remaining());
        ControlMessage whole = messages.add(in.slice(in.position(), length));
        in.position(in.position() + length);
        if (whole != null) {
          ControlMessage again = null;
          ControlMessages others = new ControlMessages(1, 4 * MOST_BYTES);
          for (ByteBuffer frame : whole.frames()) {
            again = others.add(frame);
          }
          same(whole, again);
        }
      }
    } catch (IllegalArgumentException e) {
      // As declared.
    }
  }
}
