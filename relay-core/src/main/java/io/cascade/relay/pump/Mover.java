package io.cascade.relay.pump;

import java.io.IOException;

/** Moves a direction's bytes from its source to its sink. Called on their event loop. */
sealed interface Mover permits CopyMover, SpliceMover {
  /** Reads on where there is room. */
  void readOn();

  /** Frees at once what it holds. */
  void stop();

  /** Direction whose bytes are moved. */
  interface Host {
    /** Bytes that may be read now; less than a worthwhile read where there is no room. */
    long room();

    /** Bytes were taken from the source by the kernel. */
    void took();

    /**
     * Bytes are the sink's.
     *
     * @param bytes 0 where they were counted before
     * @param spliced whether they never came into this process
     */
    void gave(int bytes, boolean spliced);

    /**
     * Called where there is no room to read, and nothing that the mover knows of will make some.
     */
    void starved();

    /**
     * Reading is the copying mover's again; what it reads comes behind what is still held.
     *
     * @param forGood whether the direction had better never be spliced again
     */
    void sourceReturned(boolean forGood);

    /** Splicing is over: nothing is held any more, and writing is the copying mover's again. */
    void over();

    void sourceFailed(IOException cause);

    void sinkFailed(Throwable cause);
  }
}
