package io.cascade.client.forward;

/** Is told what happens at a junction, for people to see. */
public interface JunctionListener {
  /** Something about the junction as a whole, or one of its pipes. */
  void note(String line);

  /** A stream is over. */
  void over(long stream, StreamReport report);
}
