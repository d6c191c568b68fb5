package io.cascade.orchestrator.store;

import org.springframework.dao.NonTransientDataAccessResourceException;

/** A write was refused because the tenure in which it was made is over. */
public final class LeadsNoMore extends NonTransientDataAccessResourceException {
  LeadsNoMore() {
    super("this orchestrator leads no more");
  }

  /** Whether that is, or caused, a failure. */
  public static boolean isCauseOf(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof LeadsNoMore) {
        return true;
      }
    }
    return false;
  }
}
