package io.cascade.client.transfer.receiver;

import io.cascade.client.transfer.Received;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Outcome of one connection to a receiver. */
public sealed interface Outcome {

  /** A transfer has ended, in either way. */
  sealed interface Ended extends Outcome {}

  /** A file stands. */
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
   * @param name as the sender says; to be made printable
   * @param bytes that have arrived
   * @param from the address of the connection's other end
   * @param sender who it is, as it says; null where it does not. To be made printable
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
   * @param name of what it sends, as it says; null where it did not come to that. To be made
   *     printable
   * @param from the address of the connection's other end
   * @param sender who it is, as it says; null where it does not. To be made printable
   */
  record Refused(String reason, @Nullable String name, String from, @Nullable String sender)
      implements Outcome {
    /** Refused before it said what it sends. */
    public Refused(String reason, String from) {
      this(reason, null, from, null);
    }
  }

  /** A path was tested; nothing was kept, and nothing was to be. */
  record Tested() implements Outcome {}

  /** A sender told of a coded session that it is about to begin. */
  record Invited() implements Outcome {}

  /** A connection brought a part of a transfer whose end another one tells. */
  record Joined() implements Outcome {}

  /** Somebody connected, said nothing that starts a transfer, and went. */
  record Ignored() implements Outcome {}
}
