package io.cascade.relay.conformance;

/**
 * The bytes that one side sends, without end: each follows from its place, so that whoever reads
 * can tell the first wrong one, wherever reading stops.
 */
enum Content {
  OF_CLIENT(0x9E37_79B9_7F4A_7C15L),
  OF_SERVER(0xC2B2_AE3D_27D4_EB4FL);

  private final long key;

  Content(long key) {
    this.key = key;
  }

  byte at(long place) {
    long mixed = (place ^ key) * 0xBF58_476D_1CE4_E5B9L;
    return (byte) (mixed >>> 56 ^ mixed >>> 27);
  }

  byte[] from(long place, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = at(place + i);
    }
    return bytes;
  }

  /** The place of the first of {@code length} bytes that is not what it should be there, or -1. */
  long firstWrong(byte[] bytes, int length, long place) {
    for (int i = 0; i < length; i++) {
      if (bytes[i] != at(place + i)) {
        return place + i;
      }
    }
    return -1;
  }
}
