package io.cascade.client.transfer.wire;

import io.cascade.client.transfer.connection.ByteConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;

/** A receiver's refusal of a connection: a {@link FinalReply} that explains it. */
public final class Refusal {
  /** Length of the beginning by which {@link #begins} recognizes a refusal. */
  public static final int MAGIC_BYTES = Reply.MAGIC_BYTES;

  private static final Duration DRAIN_PATIENCE = Duration.ofSeconds(10);

  private Refusal() {}

  /** Refuses, and waits briefly for the sender to end the connection. */
  public static void say(ByteConnection connection, String why) {
    say(connection, FinalReply.refused(0, why));
  }

  /** Sends a reply, and lets the sender finish reading it. */
  public static void say(ByteConnection connection, FinalReply last) {
    if (!connection.isOpen()) {
      return;
    }
    try {
      last.say(connection, DRAIN_PATIENCE);
    } catch (IOException e) {
      // The sender disconnected without reading.
    }
  }

  /**
   * Whether a message with this beginning is a refusal.
   *
   * @param magic of {@value #MAGIC_BYTES} bytes
   */
  public static boolean begins(byte[] magic) {
    return Arrays.equals(magic, FinalReply.MAGIC);
  }

  /**
   * Reads what follows the beginning.
   *
   * @return the reason
   */
  public static String readRest(ByteConnection connection) throws IOException {
    return FinalReply.readRest(connection).reason();
  }
}
