package io.cascade.coding.crypto;

/**
 * Result of a handshake.
 *
 * @param localConnectionId that the peer writes into its datagrams
 * @param remoteConnectionId that we write into ours
 * @param datagramBytes longest datagram that is known to pass both ways, sealed
 * @param protection of the session's datagrams; one for one session
 */
public record Agreement(
    int localConnectionId, int remoteConnectionId, int datagramBytes, PacketProtection protection) {
  /** Headers of the longest repair, a symbol's length field and the tag. */
  private static final int HEAD_BYTES = 37;

  /** Content of a symbol whose longest packet is of {@link #datagramBytes}. */
  public int contentBytes() {
    return datagramBytes - HEAD_BYTES;
  }
}
