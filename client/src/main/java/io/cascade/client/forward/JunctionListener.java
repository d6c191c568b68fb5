package io.cascade.client.forward;

/** Displays what happens at a junction. */
public interface JunctionListener {
  /** Reports on the junction as a whole, or on one of its pipes. */
  void note(String line);

  /** A stream has ended. */
  void over(long stream, StreamReport report);
}
