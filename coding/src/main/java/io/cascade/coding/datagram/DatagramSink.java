package io.cascade.coding.datagram;

/** Receives datagrams that have arrived. */
@FunctionalInterface
public interface DatagramSink {
  /**
   * @param bytes handed over
   */
  void arrived(byte[] bytes);
}
