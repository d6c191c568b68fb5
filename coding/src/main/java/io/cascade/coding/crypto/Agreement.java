package io.cascade.coding.crypto;

/**
 * Result of a handshake.
 *
 * @param localConnectionId that the peer writes into its datagrams
 * @param remoteConnectionId that this end writes into its datagrams
 * @param datagramBytes longest datagram known to pass in both directions, sealed
 * @param protection of the session's datagrams, used for one session only
 */
public record Agreement(
    int localConnectionId, int remoteConnectionId, int datagramBytes, PacketProtection protection) {
  /** Headers of the longest repair, a symbol's length field and the authenticator. */
  private static final int HEAD_BYTES = 37;

  /** Length of a symbol's content such that the longest packet has {@link #datagramBytes}. */
  public int contentBytes() {
    return datagramBytes - HEAD_BYTES;
  }
}
