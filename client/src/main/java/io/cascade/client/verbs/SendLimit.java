package io.cascade.client.verbs;

import org.jspecify.annotations.Nullable;

/**
 * What limited a transfer, for display.
 *
 * @param words what limited it
 * @param remedy what would make the next one faster; null where nothing is known
 */
record SendLimit(String words, @Nullable String remedy) {
  /** A limit without a known remedy, or with one that its words name. */
  SendLimit(String words) {
    this(words, null);
  }
}
