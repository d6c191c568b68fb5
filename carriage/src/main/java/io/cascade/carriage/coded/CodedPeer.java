package io.cascade.carriage.coded;

import java.net.InetSocketAddress;

/**
 * The other end of a hop.
 *
 * @param address of its hop port, resolved
 * @param key that both have, 32 bytes
 * @param name by which it finds the key
 * @param hasTls whether connections are encrypted where they are TCP's
 */
@SuppressWarnings("ArrayRecordComponent") // never changed or compared
public record CodedPeer(InetSocketAddress address, byte[] key, byte[] name, boolean hasTls) {}
