package io.cascade.coding.redundancy;

import java.util.ArrayDeque;

/**
 * No coding: a source symbol whose packet was lost is repeated before anything new. The baseline of
 * comparisons with coding.
 */
public final class SelectiveRepeat implements RedundancyPolicy {
  private final ArrayDeque<Long> lost = new ArrayDeque<>();

  @Override
  public Choice choose(SendingView view) {
    while (!lost.isEmpty()) {
      long id = lost.poll();
      if (id >= view.floor()) {
        return new Choice.Again(id);
      }
    }
    return view.sourceWaits() ? Choice.SOURCE : Choice.NOTHING;
  }

  @Override
  public boolean remembers() {
    return true;
  }

  @Override
  public Choice probe(SendingView view) {
    return view.outstanding() > 0 ? new Choice.Again(view.floor()) : Choice.NOTHING;
  }

  @Override
  public void onSymbolLost(long id) {
    lost.add(id);
  }
}
