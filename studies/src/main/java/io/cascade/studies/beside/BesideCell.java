package io.cascade.studies.beside;

/** A stream and the test that runs beside it. */
enum BesideCell {
  MESSAGES_ALONE("nothing"),
  MESSAGES_BESIDE_CUBIC("throughput test, CUBIC"),
  MESSAGES_BESIDE_BBR("throughput test, BBR"),
  MESSAGES_BESIDE_TRAIN("packet train of 10 Mbit/s"),
  BULK_ALONE("nothing"),
  BULK_BEGINS_BESIDE_CUBIC("throughput test under way as it begins, CUBIC"),
  BULK_BEGINS_BESIDE_TRAIN("packet train under way as it begins"),
  BULK_RUNS_BEFORE_CUBIC("throughput test asked for while it runs");

  private final String words;

  BesideCell(String words) {
    this.words = words;
  }

  /** The test in words. */
  String words() {
    return words;
  }
}
