package io.cascade.lab.emulator;

import io.cascade.links.DirectionStatistics;
import io.cascade.links.LinkShape;

/** Carrier of the packets of a lab's links; directions are known by their numbers. */
public interface Carrier extends AutoCloseable {
  /** Returns once it carries packets. */
  void start();

  /** Whether nothing else on the machine can keep packets waiting. */
  boolean realTime();

  /** Seconds since it was made: the time of its samples. */
  double seconds();

  LinkShape shape(int direction);

  /** Changes a direction from now on; packets that are under way keep what they had. */
  void reshape(int direction, LinkShape shape);

  DirectionStatistics statistics(int direction);

  @Override
  void close();
}
