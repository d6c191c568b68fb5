package io.cascade.gateway.scap;

import io.cascade.kernel.Kernel;
import io.cascade.kernel.RawSocket;
import io.cascade.kernel.TunDevice;

/** The device towards the hosts of this side, and the TUN device for packets that arrive by it. */
final class NearDevice implements AutoCloseable {
  private final RawSocket socket;
  private final TunDevice capture;
  private long refused;

  NearDevice(RawSocket socket, TunDevice capture) {
    this.socket = socket;
    this.capture = capture;
  }

  int descriptor() {
    return capture.descriptor();
  }

  void send(byte[] packet) {
    if (socket.send(packet) != 0) {
      refused++;
    }
  }

  /** Packets that the kernel rejected. */
  long refused() {
    return refused;
  }

  @Override
  public void close() {
    socket.close();
    Kernel.close(capture.descriptor());
  }
}
