package io.cascade.coding.datagram;

/** Takes datagrams that have arrived. */
@FunctionalInterface
public interface DatagramSink {
  /**
   * @param bytes that nobody else uses
   */
  void arrived(byte[] bytes);
}
