package io.cascade.relay.throughput;

/** A throughput test that brought no result. The message says why, and names the other relay. */
public final class TestFailed extends Exception {
  TestFailed(String message) {
    super(message);
  }
}
