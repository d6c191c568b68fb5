package io.cascade.studies.bench;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The 64 bytes at the start of every connection to the {@link Destination}, which state its
 * purpose. Small messages repeat these 64 bytes.
 */
final class Message {
  static final int BYTES = 64;

  private Message() {}

  /** Purpose of a connection. */
  enum Purpose {
    /** The destination returns every message until the sender closes its direction. */
    ECHO('e'),
    /** The destination returns the message and closes. */
    ANSWER_AND_CLOSE('a'),
    /** The destination returns the message and keeps the connection open without a thread. */
    REST('r'),
    /** The destination counts the following bytes and returns the count in 8 bytes at their end. */
    COUNT('c'),
    /** The destination returns the SHA-256 of the following bytes at their end. */
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

  /** Fills {@code into}; {@code serial} makes each message different. */
  static void write(MemorySegment into, Purpose purpose, long serial) {
    into.fill((byte) 0x5a);
    into.set(JAVA_BYTE, 0, purpose.code);
    into.set(JAVA_LONG, 8, serial);
    into.set(JAVA_LONG, BYTES - 8, ~serial);
  }
}
