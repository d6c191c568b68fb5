package io.cascade.studies.measured;

import io.cascade.studies.measured.PathResult.Note;
import io.cascade.studies.measured.PathResult.Transfer;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** Reason why a send took longer than the best fixed way, according to its own report. */
final class MissCause {
  private static final double NEXT_TO_NONE = 0.02;

  private MissCause() {}

  /** The causes, one for each send of a path. */
  static String of(PathVerdict verdict) {
    return String.join("; ", verdict.sends().stream().map(send -> of(send, verdict)).toList());
  }

  private static String of(Transfer send, PathVerdict verdict) {
    if (send.waitedSeconds() == null) {
      return "failed: " + send.failure();
    }
    double seconds = Objects.requireNonNull(send.waitedSeconds());
    String taken = new Way(send.relays()).name();
    boolean both = send.relayedBytes() != null && send.directBytes() != null;
    Optional<Double> joined = Moment.JOINED.in(send.notes());
    if (taken.equals(verdict.best())) {
      if (taken.equals(Way.DIRECT.name())) {
        return String.format(Locale.ROOT, "direct, which is the best way; %.1f s", seconds)
            + (both ? share(send) : "");
      }
      return String.format(
          Locale.ROOT, "the best way, joined after %.1f of %.1f s", joined.orElse(0.0), seconds);
    }
    if (!both && taken.equals(Way.DIRECT.name())) {
      return joined.isEmpty()
          ? String.format(Locale.ROOT, "%.1f s directly alone: ", seconds) + firstClause(send)
          : String.format(Locale.ROOT, "%.1f s directly alone", seconds);
    }
    double chosen = verdict.seconds().getOrDefault(taken, Double.NaN);
    double best = verdict.seconds().getOrDefault(verdict.best(), Double.NaN);
    return String.format(Locale.ROOT, "%.1f s, at the end %s", seconds, taken)
        + (Double.isNaN(chosen)
            ? ""
            : String.format(Locale.ROOT, ", which alone reaches %.2f of the best", best / chosen))
        + (both ? share(send) : "");
  }

  private static String share(Transfer send) {
    long direct = Objects.requireNonNull(send.directBytes());
    long relayed = Objects.requireNonNull(send.relayedBytes());
    double share = (double) relayed / Math.max(1, direct + relayed);
    return share < NEXT_TO_NONE
        ? ""
        : String.format(Locale.ROOT, ", %.0f %% of the file through relays", 100 * share);
  }

  private static String firstClause(Transfer send) {
    String why = Objects.requireNonNullElse(send.why(), "");
    int end = why.indexOf(';');
    return end < 0 ? why : why.substring(0, end);
  }

  /** A step of a send, recognised by its message to the user. */
  enum Moment {
    DIRECT("it sends directly", "sending directly"),
    PLANNED("there is a plan", "plan: "),
    JOINED("relays join", "sending via ");

    private final String words;
    private final String beginning;

    Moment(String words, String beginning) {
      this.words = words;
      this.beginning = beginning;
    }

    String words() {
      return words;
    }

    /** Seconds after the start of the verb; empty if the step did not occur. */
    Optional<Double> in(List<Note> notes) {
      return notes.stream()
          .filter(note -> note.text().startsWith(beginning))
          .map(Note::seconds)
          .findFirst();
    }
  }
}
