package io.cascade.gateway.scap;

import io.cascade.kernel.NetworkDevice;
import io.cascade.kernel.UdpSocket;
import io.cascade.packets.encapsulation.PipeEnd;
import io.cascade.packets.encapsulation.PipeMeasurement;
import io.cascade.packets.encapsulation.PipeReport;
import org.jspecify.annotations.Nullable;

/** A pipe that carries packets in datagrams to a peer, over one network device. */
final class DatagramPort implements PipePort {
  private final NetworkDevice device;
  private final UdpSocket socket;
  private final PipeEnd end;

  /**
   * @param device by which the socket sends
   */
  DatagramPort(NetworkDevice device, UdpSocket socket, PipeEnd end) {
    this.device = device;
    this.socket = socket;
    this.end = end;
  }

  @Override
  public int descriptor() {
    return socket.descriptor();
  }

  @Override
  public boolean send(byte[] packet, long nowNanos) {
    byte[] datagram = end.packet(packet, nowNanos);
    return datagram != null && socket.send(datagram) == 0;
  }

  @Override
  public void read(byte[] bytes, int length, long nowNanos, Taker taker) {
    end.arrived(
        bytes,
        length,
        nowNanos,
        new PipeEnd.Taker() {
          @Override
          public void packet(byte[] packet) {
            taker.packet(packet);
          }

          @Override
          public void signal(byte[] message) {
            taker.signal(message);
          }

          @Override
          public void reply(byte[] datagram) {
            socket.send(datagram);
          }
        });
  }

  @Override
  public boolean signal(byte[] message, long nowNanos) {
    byte[] datagram = end.signal(message, nowNanos);
    return datagram != null && socket.send(datagram) == 0;
  }

  @Override
  public void tick(long nowNanos) {
    end.tick(nowNanos, socket::send);
  }

  @Override
  public long nextNanos() {
    return end.nextNanos();
  }

  @Override
  public boolean deviceIsUp() {
    return device.isUp(socket.descriptor());
  }

  @Override
  public boolean isUp(long nowNanos) {
    return end.isUp(nowNanos);
  }

  @Override
  public @Nullable PipeMeasurement measurement() {
    return end.measurement();
  }

  @Override
  public @Nullable PipeReport report() {
    return end.report();
  }

  @Override
  public void close() {
    socket.close();
  }
}
