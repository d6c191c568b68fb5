package io.cascade.carriage.rendezvous;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The first message of an end to a relay, of {@value #BYTES} bytes. Its fields, in order: the
 * letters {@code CASCMEET}, version 1, the role (1 waits, 2 joins), the places (one byte; 0 for an
 * end that joins), a zero, and the meeting number.
 *
 * @param places number of connections that the waiting end keeps waiting under the number, 1 to
 *     {@value #MOST_PLACES}; if there are more, the oldest is refused. 0 for an end that joins
 */
public record MeetingRequest(Role role, int places, MeetingNumber number) {
  /** Length of the message. */
  public static final int BYTES = 44;

  /** Most connections that may wait under one number. */
  public static final int MOST_PLACES = 64;

  private static final byte[] MAGIC = "CASCMEET".getBytes(StandardCharsets.US_ASCII);
  private static final int VERSION = 1;

  /** Role of an end. */
  public enum Role {
    /** Waits until another end joins it. */
    WAIT,
    /** Joins an end that waits. */
    JOIN
  }

  public MeetingRequest {
    boolean fits = role == Role.JOIN ? places == 0 : places >= 1 && places <= MOST_PLACES;
    if (!fits) {
      throw new IllegalArgumentException("places: " + places + " of an end that is to " + role);
    }
  }

  /** Makes the request of an end that waits. */
  public static MeetingRequest toWait(MeetingNumber number, int places) {
    return new MeetingRequest(Role.WAIT, places, number);
  }

  /** Makes the request of an end that joins a waiting one. */
  public static MeetingRequest toJoin(MeetingNumber number) {
    return new MeetingRequest(Role.JOIN, 0, number);
  }

  /** Encodes the message. */
  public ByteBuffer encode() {
    ByteBuffer out = ByteBuffer.allocate(BYTES);
    out.put(MAGIC).put((byte) VERSION).put((byte) (role == Role.WAIT ? 1 : 2));
    out.put((byte) places).put((byte) 0);
    number.writeTo(out);
    return out.flip();
  }

  /**
   * Parses the message at the front of {@code in}; consumes nothing if it is incomplete.
   *
   * @return null if it is incomplete
   * @throws MalformedMeeting as soon as it cannot be a valid message
   */
  public static @Nullable MeetingRequest decode(ByteBuffer in) throws MalformedMeeting {
    int at = in.position();
    int there = in.remaining();
    for (int i = 0; i < Math.min(there, MAGIC.length); i++) {
      if (in.get(at + i) != MAGIC[i]) {
        throw new MalformedMeeting("it does not begin as a request does");
      }
    }
    if (there > MAGIC.length && in.get(at + MAGIC.length) != VERSION) {
      throw new MalformedMeeting("version " + (in.get(at + MAGIC.length) & 0xFF));
    }
    if (there < BYTES) {
      return null;
    }
    in.position(at + MAGIC.length + 1);
    int code = in.get();
    int places = in.get();
    int reserved = in.get();
    MeetingNumber number = MeetingNumber.readFrom(in);
    if (reserved == 0 && code == 1 && places >= 1 && places <= MOST_PLACES) {
      return toWait(number, places);
    }
    if (reserved == 0 && code == 2 && places == 0) {
      return toJoin(number);
    }
    throw new MalformedMeeting("role " + code + ", places " + places + ", reserved " + reserved);
  }
}
