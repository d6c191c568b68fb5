package io.cascade.studies.experiment;

import java.util.Map;
import java.util.Optional;

/**
 * A statement of a source that runs can confirm or not.
 *
 * @param says the statement
 * @param published the source's figure, in its words
 * @param figure what is compared
 * @param of the cell that it is about
 * @param over the cell that the first is divided by; empty for a figure of one cell
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

  /** Figure of a cell's runs that is meant. */
  public enum Figure {
    /** Steady payload rate, Mbit/s; of a transfer of given size that over all of its time. */
    GOODPUT,
    /** Steady payload rate in per cent of the slowest link's rate. */
    UTILISATION,
    /** Time from the sender's first packet to the last byte's arrival. */
    SECONDS,
    /** The same and the chain's set-up before it. */
    TOTAL,
    /** Time from asking for a chain until it was ready, ms. */
    SETUP,
    /** The most that any relay held, MiB. */
    HELD
  }
}
