package io.cascade.orchestrator.corrections;

import io.cascade.model.calibration.Correction;
import io.cascade.orchestrator.relays.RelayFact;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Corrections of every link and congestion control: in memory in steady time, in the store by the
 * time of day.
 */
@Component
public class CorrectionBook {
  private final CorrectionStore store;
  private final Timekeeper time;
  private final Map<Link, Correction> learned = new TreeMap<>();

  CorrectionBook(CorrectionStore store, Timekeeper time) {
    this.store = store;
    this.time = time;
    store
        .all()
        .forEach((link, stored) -> learned.put(link, at(stored, time.steady(stored.updatedAt()))));
  }

  /**
   * A link as used by one congestion control.
   *
   * @param control name such as {@code cubic}
   */
  public record Link(String from, String to, String control) implements Comparable<Link> {
    private static final Comparator<Link> BY_NAME =
        Comparator.comparing(Link::from).thenComparing(Link::to).thenComparing(Link::control);

    @Override
    public int compareTo(Link other) {
      return BY_NAME.compare(this, other);
    }
  }

  /** A correction of a link, and the factor by which it multiplies the link's rate at present. */
  public record Known(Link link, Correction correction, double factor) {}

  /** The correction of one link; its factor is 1 if nothing was learned. */
  public synchronized Known of(Link link) {
    Instant now = time.steady();
    return known(link, learned.getOrDefault(link, Correction.none(now)), now);
  }

  /** The corrections of all links, ordered by name. */
  public synchronized List<Known> all() {
    Instant now = time.steady();
    List<Known> all = new ArrayList<>();
    learned.forEach((link, correction) -> all.add(known(link, correction, now)));
    return all;
  }

  /**
   * Applies an outcome to a link's correction.
   *
   * @param ratio achieved over predicted rate
   * @param weight weight of the outcome, above 0 and at most 1
   */
  public synchronized void learn(Link link, double ratio, double weight) {
    Instant now = time.steady();
    Correction better = learned.getOrDefault(link, Correction.none(now)).learn(ratio, weight, now);
    learned.put(link, better);
    store.save(link, shown(better));
  }

  /** Discards all corrections. */
  synchronized void reset() {
    learned.clear();
    store.clear();
  }

  /** Discards the corrections of one link, for every congestion control. */
  synchronized void reset(String from, String to) {
    learned.keySet().removeIf(link -> link.from().equals(from) && link.to().equals(to));
    store.remove(from, to);
  }

  @EventListener
  synchronized void on(RelayFact.Forgotten fact) {
    String relay = fact.relay().name();
    learned.keySet().removeIf(link -> link.from().equals(relay) || link.to().equals(relay));
    store.remove(relay);
  }

  private Known known(Link link, Correction correction, Instant now) {
    return new Known(link, shown(correction), correction.factor(now));
  }

  private Correction shown(Correction correction) {
    return at(correction, time.timeOfDay(correction.updatedAt()));
  }

  private static Correction at(Correction correction, Instant updated) {
    return new Correction(
        correction.logRatio(), correction.evidence(), correction.outcomes(), updated);
  }
}
