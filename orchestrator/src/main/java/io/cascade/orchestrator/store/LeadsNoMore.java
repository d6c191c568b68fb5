package io.cascade.orchestrator.store;

import org.springframework.dao.NonTransientDataAccessResourceException;

/** A write was refused because its tenure is over. */
public final class LeadsNoMore extends NonTransientDataAccessResourceException {
  LeadsNoMore() {
    super("this orchestrator no longer leads");
  }

  /** Whether such a refusal is a failure or one of its causes. */
  public static boolean isCauseOf(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof LeadsNoMore) {
        return true;
      }
    }
    return false;
  }
}
