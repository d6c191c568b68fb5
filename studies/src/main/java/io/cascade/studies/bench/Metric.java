package io.cascade.studies.bench;

/** Measured quantity of a contender. */
enum Metric {
  THROUGHPUT("throughput", "Gbit/s", 2, true),
  RELAY_CPU("relay CPU", "s/GiB", 3, false),
  RELAY_USER("of it user", "s/GiB", 3, false),
  RELAY_SYSTEM("of it system", "s/GiB", 3, false),
  ALL_CPU("CPU of all", "s/GiB", 3, false),
  GARBAGE("garbage", "MiB/GiB", 2, false),
  LONGEST_PAUSE("longest pause", "ms", 2, false),
  P50("p50", "µs", 1, false),
  P99("p99", "µs", 1, false),
  P999("p99.9", "µs", 1, false),
  CONNECTIONS("connections", "1/s", 0, true),
  RELAY_CPU_PER_CONNECTION("relay CPU", "µs each", 1, false),
  PSS_PER_STREAM("PSS", "KiB/stream", 2, false),
  RSS_PER_STREAM("RSS", "KiB/stream", 2, false),
  HEAP_PER_STREAM("live heap", "KiB/stream", 2, false),
  START("start", "s", 2, false),
  PSS_IDLE("PSS without streams", "MiB", 1, false);

  private final String label;
  private final String unit;
  private final int decimals;
  private final boolean moreIsBetter;

  Metric(String label, String unit, int decimals, boolean moreIsBetter) {
    this.label = label;
    this.unit = unit;
    this.decimals = decimals;
    this.moreIsBetter = moreIsBetter;
  }

  String label() {
    return label;
  }

  String unit() {
    return unit;
  }

  boolean moreIsBetter() {
    return moreIsBetter;
  }

  String format(double value) {
    return String.format(java.util.Locale.ROOT, "%." + decimals + "f", value);
  }
}
