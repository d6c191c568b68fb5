package io.cascade.siting;

/**
 * What a choice of sites achieves; compared by demands served, then by gain.
 *
 * @param gain over the direct paths, in the objective's unit: weighted seconds saved, or weighted
 *     rate gain
 */
record Worth(int served, double gain) implements Comparable<Worth> {

  static final Worth NOTHING = new Worth(0, 0);

  Worth plus(Worth other) {
    return new Worth(served + other.served, gain + other.gain);
  }

  Worth minus(Worth other) {
    return new Worth(served - other.served, gain - other.gain);
  }

  @Override
  public int compareTo(Worth other) {
    int byServed = Integer.compare(served, other.served);
    return byServed != 0 ? byServed : Double.compare(gain, other.gain);
  }
}
