package io.cascade.client.transfer;

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
   */
  record Broken(String reason) implements Ended {}

  /** A path was tested; nothing was kept, and nothing was to be. */
  record Tested() implements Outcome {}

  /** A sender told of a coded session that it is about to begin. */
  record Invited() implements Outcome {}

  /** A connection brought a part of a transfer whose end another one tells. */
  record Joined() implements Outcome {}

  /** Somebody connected, said nothing that starts a transfer, and went. */
  record Ignored() implements Outcome {}
}
