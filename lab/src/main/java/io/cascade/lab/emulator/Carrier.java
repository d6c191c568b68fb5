package io.cascade.lab.emulator;

import io.cascade.links.DirectionStatistics;
import io.cascade.links.LinkShape;

/** Carrier of the packets of a lab's links; directions are identified by their numbers. */
public interface Carrier extends AutoCloseable {
  /** Starts to carry packets, and returns then. */
  void start();

  /** Whether it runs with real-time priority, so that no other program delays packets. */
  boolean realTime();

  /** Seconds since it was created: the time of its samples. */
  double seconds();

  LinkShape shape(int direction);

  /** Changes a direction from now on; packets in flight keep the previous shape. */
  void reshape(int direction, LinkShape shape);

  DirectionStatistics statistics(int direction);

  @Override
  void close();
}
