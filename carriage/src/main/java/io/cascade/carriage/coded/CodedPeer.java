package io.cascade.carriage.coded;

import java.net.InetSocketAddress;

/**
 * The other end of a hop.
 *
 * @param address of its hop port, resolved
 * @param key that both ends hold, 32 bytes
 * @param name by which it finds the key
 * @param hasTls whether its plain TCP connections are encrypted
 * @param localPort UDP port from which it is reached, shared with another socket of this user; 0
 *     for any
 */
@SuppressWarnings("ArrayRecordComponent") // never changed or compared
public record CodedPeer(
    InetSocketAddress address, byte[] key, byte[] name, boolean hasTls, int localPort) {
  /** Makes a peer that may be reached from any port. */
  public CodedPeer(InetSocketAddress address, byte[] key, byte[] name, boolean hasTls) {
    this(address, key, name, hasTls, 0);
  }
}
