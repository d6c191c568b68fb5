package io.cascade.siting;

/**
 * Value of a choice of sites; compared by demands served, then by gain.
 *
 * @param gain over the direct paths, in the objective's unit: weighted seconds saved, or weighted
 *     rate gain
 */
record SitingValue(int served, double gain) implements Comparable<SitingValue> {

  static final SitingValue NOTHING = new SitingValue(0, 0);

  SitingValue plus(SitingValue other) {
    return new SitingValue(served + other.served, gain + other.gain);
  }

  SitingValue minus(SitingValue other) {
    return new SitingValue(served - other.served, gain - other.gain);
  }

  @Override
  public int compareTo(SitingValue other) {
    int byServed = Integer.compare(served, other.served);
    return byServed != 0 ? byServed : Double.compare(gain, other.gain);
  }
}
