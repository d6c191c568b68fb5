package io.cascade.segments;

/** Stream's trust in a pipe. */
public enum PipeState {
  /** The pipe carries new data. */
  ACTIVE,
  /** Data is overdue. The pipe carries nothing new, and others carry its data a second time. */
  SUSPECT,
  /** The pipe was withdrawn: it carries nothing new, and ends once everything on it has arrived. */
  LEAVING,
  /** The pipe's connection has ended. */
  GONE;

  /** Event of a pipe. */
  public enum Event {
    /** A frame arrived over it. */
    HEARD,
    /** Data has not arrived in time. */
    OVERDUE,
    /** One of its junctions has withdrawn it. */
    WITHDRAWN,
    /** The pipe's connection failed, ended, or was silent for too long. */
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
