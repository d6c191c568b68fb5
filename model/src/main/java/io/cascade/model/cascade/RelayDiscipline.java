package io.cascade.model.cascade;

import io.cascade.model.units.Require;

/** When a relay passes on what it has received. */
public sealed interface RelayDiscipline {

  /** At once, as packets come. */
  RelayDiscipline CUT_THROUGH = new CutThrough(0);

  /**
   * As packets come, after an initial wait that fills the relay's buffer.
   *
   * @param startWindows W: round trips of the incoming hop that pass between the first packet's
   *     arrival and its leaving. A relay stops waiting when it has everything. 0 forwards at once;
   *     the published default is 16.
   */
  record CutThrough(double startWindows) implements RelayDiscipline {
    /** Checks the wait. */
    public CutThrough {
      Require.notNegative("startWindows", startWindows);
    }
  }

  /**
   * In chunks: a chunk leaves when all of it has arrived.
   *
   * @param chunkBytes G
   */
  record Chunked(long chunkBytes) implements RelayDiscipline {
    /** Checks the size. */
    public Chunked {
      Require.atLeast("chunkBytes", chunkBytes, 1);
    }
  }

  /** Nothing leaves before everything has arrived: the published non-pipelined relay. */
  record StoreAndForward() implements RelayDiscipline {}
}
