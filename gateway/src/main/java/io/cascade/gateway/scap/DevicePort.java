package io.cascade.gateway.scap;

import io.cascade.kernel.Kernel;
import io.cascade.kernel.NetworkDevice;
import io.cascade.kernel.RawSocket;
import io.cascade.kernel.TunDevice;
import io.cascade.packets.encapsulation.PipeMeasurement;
import io.cascade.packets.encapsulation.PipeReport;
import io.cascade.packets.processing.DataAckProcessor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A pipe that is a bare network device: packets are sent unchanged, and received by a TUN device to
 * which the kernel's rules route them. It delivers while the device has a carrier, and not if
 * another device has taken its name: the socket is bound to the former one.
 *
 * @param index of the device, see {@link NetworkDevice#index}
 */
record DevicePort(String device, int index, RawSocket socket, TunDevice capture)
    implements PipePort {
  @Override
  public int descriptor() {
    return capture.descriptor();
  }

  @Override
  public boolean send(byte[] packet, long nowNanos) {
    return socket.send(packet) == 0;
  }

  @Override
  public void read(byte[] bytes, int length, long nowNanos, Taker taker) {
    taker.packet(Arrays.copyOf(bytes, length));
  }

  @Override
  public boolean signal(byte[] message, long nowNanos) {
    return false;
  }

  @Override
  public void tick(long nowNanos) {}

  @Override
  public long nextNanos() {
    return DataAckProcessor.NEVER;
  }

  @Override
  public boolean deviceIsUp() {
    return new NetworkDevice(device).isUp(socket.descriptor());
  }

  @Override
  public boolean isUp(long nowNanos) {
    return deviceIsUp() && new NetworkDevice(device).index(socket.descriptor()) == index;
  }

  @Override
  public @Nullable PipeMeasurement measurement() {
    return null;
  }

  @Override
  public @Nullable PipeReport report() {
    return null;
  }

  @Override
  public void close() {
    socket.close();
    Kernel.close(capture.descriptor());
  }
}
