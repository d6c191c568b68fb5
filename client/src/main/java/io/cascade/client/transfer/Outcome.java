package io.cascade.client.transfer;

/** What became of one connection to a receiver. */
public sealed interface Outcome {
  /** A file stands. */
  record Arrived(Received received) implements Outcome {}

  /**
   * A transfer began and did not complete; nothing was kept.
   *
   * @param reason as a sentence without its end
   */
  record Broken(String reason) implements Outcome {}

  /** Somebody connected, said nothing that starts a transfer, and went. */
  record Ignored() implements Outcome {}
}
