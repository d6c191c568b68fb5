package io.cascade.coding.crypto;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** Preparation of handshakes. */
public final class Handshakes {
  private static final int KEY_BYTES = 32;
  private static final long SECOND_NANOS = 1_000_000_000;

  private Handshakes() {}

  /**
   * Runs a handshake with itself, so that the JDK's algorithms are loaded: the first one of a
   * process takes some hundred milliseconds, for which a dialler would have to wait.
   */
  public static void warmUp() {
    byte[] key = new byte[KEY_BYTES];
    Accepting accepting =
        new Accepting(_ -> key, new SecureRandom(), Accepting.MOST_WITHOUT_COOKIE);
    Dialling dialling =
        new Dialling(
            key,
            new byte[1],
            0,
            Dialling.LEAST_DATAGRAM_BYTES,
            Dialling.Repetition.SHORTER_LATER,
            0,
            SECOND_NANOS);
    byte[] hello = dialling.poll(0);
    if (hello != null
        && accepting.onDatagram(ByteBuffer.wrap(hello), new byte[1], hello.length, 0)
            instanceof Accepting.HelloOutcome.Opened opened) {
      dialling.onDatagram(ByteBuffer.wrap(opened.welcome()), 0);
    }
  }
}
