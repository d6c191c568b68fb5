package io.cascade.studies.bench;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The 64 bytes that begin every connection to the {@link Destination} and say what it is for; small
 * messages are the same 64 bytes again.
 */
final class Message {
  static final int BYTES = 64;

  private Message() {}

  /** Purpose of a connection. */
  enum Purpose {
    /** Every message comes back until the sender has finished. */
    ECHO('e'),
    /** The message comes back and the destination closes. */
    ANSWER_AND_CLOSE('a'),
    /** The message comes back and the connection stays without a thread. */
    REST('r'),
    /** All that follows is counted; at its end the count comes back in 8 bytes. */
    COUNT('c'),
    /** Asks for the SHA-256 of what follows, at its end. */
    DIGEST('d');

    private final byte code;

    Purpose(char code) {
      this.code = (byte) code;
    }

    static Purpose of(MemorySegment message) {
      byte code = message.get(JAVA_BYTE, 0);
      return Arrays.stream(values())
          .filter(purpose -> purpose.code == code)
          .findFirst()
          .orElseThrow(() ->
              new IllegalArgumentException("purpose: " + code + " (expected: one of those here)"));
    }
  }

  /** Fills {@code into}; {@code serial} makes it unlike its neighbours. */
  static void write(MemorySegment into, Purpose purpose, long serial) {
    into.fill((byte) 0x5a);
    into.set(JAVA_BYTE, 0, purpose.code);
    into.set(JAVA_LONG, 8, serial);
    into.set(JAVA_LONG, BYTES - 8, ~serial);
  }
}
