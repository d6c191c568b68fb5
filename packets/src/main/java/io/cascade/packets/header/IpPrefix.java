package io.cascade.packets.header;

/**
 * Addresses with the same leading bits.
 *
 * @param length number of leading bits, 0 to all of them
 */
public record IpPrefix(IpAddress address, int length) {
  public IpPrefix {
    if (length < 0 || length > address.bits()) {
      throw new IllegalArgumentException(
          "prefix length: " + length + " (expected: 0 to " + address.bits() + ")");
    }
  }

  public boolean contains(IpAddress other) {
    if (other.bits() != address.bits()) {
      return false;
    }
    int lowBits = Math.min(64, address.bits());
    int fromHigh = Math.clamp(length, 0, address.bits() - lowBits);
    return same(other.high(), address.high(), fromHigh, 64)
        && same(other.low(), address.low(), length - fromHigh, lowBits);
  }

  /** Returns the same prefix with zeros after its bits, as the kernel's routes require. */
  public IpPrefix network() {
    int lowBits = Math.min(64, address.bits());
    int fromHigh = Math.clamp(length, 0, address.bits() - lowBits);
    long high = cut(address.high(), fromHigh, 64);
    long low = cut(address.low(), length - fromHigh, lowBits);
    return new IpPrefix(new IpAddress(address.bits(), high, low), length);
  }

  private static long cut(long bits, int leading, int width) {
    return leading == 0 ? 0 : bits >>> (width - leading) << (width - leading);
  }

  private static boolean same(long one, long other, int leading, int width) {
    return leading == 0 || (one ^ other) >>> (width - leading) == 0;
  }

  @Override
  public String toString() {
    return address + "/" + length;
  }
}
