package io.cascade.client.transfer.receiver;

import io.cascade.client.transfer.Received;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Outcome of one connection to a receiver. */
public sealed interface Outcome {

  /** A transfer has ended, successfully or not. */
  sealed interface Ended extends Outcome {}

  /** A file or entries have arrived. */
  record Arrived(Received received) implements Ended {}

  /**
   * A transfer began and did not complete.
   *
   * @param reason as a sentence without its end, and what was kept
   * @param attempt what is known of it; null where it ended before there was a header
   */
  record Broken(String reason, @Nullable Attempt attempt) implements Ended {
    Broken(String reason) {
      this(reason, null);
    }
  }

  /**
   * What is known of a transfer that did not complete.
   *
   * @param name that the sender gave; to be made printable
   * @param bytes that have arrived
   * @param from the address of the connection's other end
   * @param sender name that the sender gave; null where it gave none. To be made printable
   * @param elapsed since its header
   */
  record Attempt(
      UUID transfer,
      String name,
      long bytes,
      String from,
      @Nullable String sender,
      Duration elapsed) {}

  /**
   * A sender was refused before its transfer began.
   *
   * @param reason as a sentence without its end
   * @param name of what it sends; null where it was not received. To be made printable
   * @param from the address of the connection's other end
   * @param sender name that the sender gave; null where it gave none. To be made printable
   */
  record Refused(String reason, @Nullable String name, String from, @Nullable String sender)
      implements Outcome {
    /** Refused before it named what it sends. */
    public Refused(String reason, String from) {
      this(reason, null, from, null);
    }
  }

  /** A path was tested; nothing was to be kept. */
  record Tested() implements Outcome {}

  /** A sender announced a coded session. */
  record Invited() implements Outcome {}

  /** A connection brought a part of a transfer whose end another connection reports. */
  record Joined() implements Outcome {}

  /** A peer connected and disconnected without starting a transfer. */
  record Ignored() implements Outcome {}
}
