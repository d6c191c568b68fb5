package io.cascade.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class BoundedMapTest {
  @Test
  void dropsTheEntryThatWasPutFirst() {
    assertThat(filled(BoundedMap.ofLatest(2)).keySet()).containsExactly("b", "c");
  }

  @Test
  void dropsTheEntryThatWasUsedLeastRecently() {
    assertThat(filled(BoundedMap.ofLatestUsed(2)).keySet()).containsExactly("a", "c");
  }

  /** Puts a and b, reads a, and puts c. */
  private static Map<String, Integer> filled(Map<String, Integer> map) {
    map.put("a", 1);
    map.put("b", 2);
    assertThat(map.get("a")).isEqualTo(1);
    map.put("c", 3);
    return map;
  }
}
