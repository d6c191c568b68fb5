package io.cascade.studies.experiment;

import java.util.Map;
import java.util.Optional;

/**
 * A statement of a source that runs can confirm or refute.
 *
 * @param says the statement
 * @param published the source's figure, in its words
 * @param figure that is compared
 * @param of the cell that it is about
 * @param over cell by whose figure the first is divided; empty for a figure of one cell
 * @param least the smallest value with which the statement holds
 * @param most the largest
 */
public record Claim(
    String says,
    String published,
    Figure figure,
    Map<String, String> of,
    Optional<Map<String, String>> over,
    double least,
    double most) {

  /** Copies the selections. */
  public Claim {
    of = Map.copyOf(of);
    over = over.map(Map::copyOf);
  }

  /** Figure of a cell's runs. */
  public enum Figure {
    /**
     * Steady payload rate in Mbit/s; for a transfer of given size the rate over its whole duration.
     */
    GOODPUT,
    /** Steady payload rate in percent of the slowest link's rate. */
    UTILISATION,
    /** Time from the sender's first packet to the last byte's arrival. */
    SECONDS,
    /** Time of {@link #SECONDS} and of the chain's set-up before it. */
    TOTAL,
    /** Time from the request for a chain until it is ready, in ms. */
    SETUP,
    /** Largest number of bytes that a relay held, in MiB. */
    HELD
  }
}
