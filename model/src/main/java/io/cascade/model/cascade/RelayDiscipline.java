package io.cascade.model.cascade;

import io.cascade.model.units.Require;

/** Rule by which a relay passes on received data. */
public sealed interface RelayDiscipline {

  /** Forwards at once, packet by packet. */
  RelayDiscipline CUT_THROUGH = new CutThrough(0);

  /**
   * Forwards packet by packet, after an initial wait that fills the relay's buffer.
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
   * Forwards in chunks: a chunk leaves when all of it has arrived.
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
