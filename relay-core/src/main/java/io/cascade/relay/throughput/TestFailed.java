package io.cascade.relay.throughput;

/** Thrown if a throughput test has no result. The message says why, and names the other relay. */
public final class TestFailed extends Exception {
  TestFailed(String message) {
    super(message);
  }
}
