package io.cascade.segments;

/** Trust in a pipe. */
public enum PipeState {
  /** The pipe carries new data. */
  ACTIVE,
  /** Data is overdue. The pipe gets nothing new; others carry its data a second time. */
  SUSPECT,
  /** The pipe was withdrawn: it gets nothing new, and ends once everything on it has arrived. */
  LEAVING,
  /** The pipe's connection is over. */
  GONE;

  /** Event of a pipe. */
  public enum Event {
    /** A frame came over it. */
    HEARD,
    /** Data has not arrived in time. */
    OVERDUE,
    /** One of its junctions wants to do without it. */
    WITHDRAWN,
    /** The pipe's connection broke, ended, or was silent for too long. */
    LOST
  }

  PipeState on(Event event) {
    return switch (this) {
      case ACTIVE, SUSPECT ->
          switch (event) {
            case HEARD -> ACTIVE;
            case OVERDUE -> SUSPECT;
            case WITHDRAWN -> LEAVING;
            case LOST -> GONE;
          };
      case LEAVING -> event == Event.LOST ? GONE : LEAVING;
      case GONE -> GONE;
    };
  }
}
