package io.cascade.packets.header;

/** A packet whose TCP header cannot or need not be read; a router passes it on unchanged. */
public final class OtherPacket implements Packet {
  private final byte[] bytes;
  private final Why why;

  /** Reason why its TCP header was not read. */
  public enum Why {
    /** Neither version 4 nor 6, or not a whole IP header. */
    NO_IP_HEADER,
    /** Shorter than its IP header says. */
    TRUNCATED,
    /**
     * A fragment: only one fragment contains the TCP header, which cannot be trusted there either.
     */
    FRAGMENT,
    /** Another protocol than TCP. */
    NOT_TCP,
    /** A TCP header that does not fit into its packet. */
    BAD_TCP_HEADER
  }

  OtherPacket(byte[] bytes, Why why) {
    this.bytes = bytes;
    this.why = why;
  }

  @Override
  public byte[] bytes() {
    return bytes;
  }

  public Why why() {
    return why;
  }
}
