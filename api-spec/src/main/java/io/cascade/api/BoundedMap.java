package io.cascade.api;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A map of the latest entries: when it is full, an insertion removes the eldest entry. Not
 * thread-safe.
 */
public final class BoundedMap<K, V> extends LinkedHashMap<K, V> {
  private static final int CAPACITY = 16;
  private static final float LOAD = 0.75f;

  private final int most;

  private BoundedMap(int most, boolean byUse) {
    super(CAPACITY, LOAD, byUse);
    this.most = most;
  }

  /**
   * A map whose eldest entry is the one that was first put.
   *
   * @param most maximum number of entries
   */
  public static <K, V> BoundedMap<K, V> ofLatest(int most) {
    return new BoundedMap<>(most, false);
  }

  /**
   * A map whose eldest entry is the least recently put or read one.
   *
   * @param most maximum number of entries
   */
  public static <K, V> BoundedMap<K, V> ofLatestUsed(int most) {
    return new BoundedMap<>(most, true);
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > most;
  }
}
