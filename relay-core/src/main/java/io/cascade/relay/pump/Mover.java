package io.cascade.relay.pump;

import java.io.IOException;

/** Moves a direction's bytes from its source to its sink. Called on their event loop. */
sealed interface Mover permits CopyMover, SpliceMover {
  /** Continues reading if there is room. */
  void readOn();

  /** Frees what it holds at once. */
  void stop();

  /** The direction whose bytes are moved. */
  interface Host {
    /** Bytes that may be read now; less than a worthwhile read if there is no room. */
    long room();

    /** The kernel has taken bytes from the source. */
    void took();

    /**
     * The sink has accepted bytes.
     *
     * @param bytes 0 if they were counted before
     * @param spliced whether they did not pass through this process
     */
    void gave(int bytes, boolean spliced);

    /** Called if there is no room to read, and no write in progress will free any. */
    void starved();

    /**
     * The copying mover reads again; its bytes follow those that are still held.
     *
     * @param forGood whether the direction should never be spliced again
     */
    void sourceReturned(boolean forGood);

    /** Splicing has ended: nothing is held any longer, and the copying mover writes again. */
    void over();

    void sourceFailed(IOException cause);

    void sinkFailed(Throwable cause);
  }
}
