package io.cascade.gateway.scap;

import io.cascade.command.Complaint;
import io.cascade.gateway.ip.IpCommand;
import io.cascade.kernel.Kernel;
import io.cascade.kernel.NetworkDevice;
import io.cascade.kernel.RawSocket;
import io.cascade.kernel.TunDevice;
import io.cascade.packets.header.Packet;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.Pipes;
import io.cascade.packets.scap.PacketOutput;
import io.cascade.packets.scap.Scap;
import io.cascade.packets.scap.ScapCounts;
import io.cascade.packets.scap.ScapSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A splitter/combiner between a near device and several pipes, on one thread. Packets come from TUN
 * devices, to which {@link CaptureRoutes} leads them, and go by raw sockets that are bound to
 * devices.
 */
final class ScapHost implements AutoCloseable {
  private static final long LOOK_NANOS = 1_000_000_000L;
  private static final Path FORWARDING = Path.of("/proc/sys/net/ipv4/ip_forward");

  private final CaptureRoutes routes;
  private final Pipes pipes;
  private final Scap scap;
  private final TunPoller poller;
  private final List<TunDevice> captures;
  private final RawSocket near;
  private final List<RawSocket> far;
  private volatile boolean running = true;
  private long lookedNanos;
  private long refused;

  private ScapHost(
      CaptureRoutes routes,
      ScapSettings settings,
      List<TunDevice> captures,
      RawSocket near,
      List<RawSocket> far) {
    this.routes = routes;
    this.pipes = new Pipes(routes.pipes().stream().map(PipeSpec::properties).toList());
    this.scap = new Scap(settings, pipes, new Sending());
    this.captures = captures;
    this.poller = new TunPoller(captures);
    this.near = near;
    this.far = far;
  }

  /**
   * Opens devices, sockets and routes; the kernel hands packets over from then on.
   *
   * @throws Complaint that names what is missing
   */
  static ScapHost open(CaptureRoutes routes, ScapSettings settings) {
    checkForwarding();
    int nearMtu = new NetworkDevice(routes.near()).mtu();
    int leastMtu =
        routes.pipes().stream()
            .mapToInt(pipe -> new NetworkDevice(pipe.device()).mtu())
            .min()
            .orElseThrow();
    List<TunDevice> captures = new ArrayList<>();
    List<RawSocket> sockets = new ArrayList<>();
    try {
      sockets.add(RawSocket.on(routes.near()));
      captures.add(TunDevice.make(routes.nearDevice()));
      for (int i = 0; i < routes.pipes().size(); i++) {
        sockets.add(RawSocket.on(routes.pipes().get(i).device()));
        captures.add(TunDevice.make(routes.pipeDevice(i)));
      }
      IpCommand.tryAll(routes.tearDown()); // What one that was killed has left.
      IpCommand.run(routes.setUp(nearMtu, leastMtu));
    } catch (RuntimeException e) {
      sockets.forEach(RawSocket::close);
      captures.forEach(capture -> Kernel.close(capture.descriptor()));
      IpCommand.tryAll(routes.tearDown());
      throw e;
    }
    return new ScapHost(
        routes, settings, captures, sockets.getFirst(), sockets.subList(1, sockets.size()));
  }

  /** The largest segment that fits every pipe, with IPv4 and TCP headers without options. */
  static int mostSegmentBytes(List<PipeSpec> pipes) {
    return pipes.stream()
            .mapToInt(pipe -> new NetworkDevice(pipe.device()).mtu())
            .min()
            .orElseThrow()
        - 40;
  }

  private static void checkForwarding() {
    try {
      if (!Files.readString(FORWARDING).strip().equals("1")) {
        throw new Complaint(
            "the kernel does not forward packets here: sysctl -w net.ipv4.ip_forward=1");
      }
    } catch (IOException e) {
      throw new Complaint("scap needs Linux", e);
    }
  }

  /**
   * Carries packets until {@link #stop}.
   *
   * @throws Complaint where a device was removed
   */
  void run() {
    while (running) {
      long now = System.nanoTime();
      if (now - lookedNanos >= LOOK_NANOS) {
        lookedNanos = now;
        look();
      }
      scap.tick(now);
      long wait = Math.min(scap.nextNanos() - now, LOOK_NANOS);
      if (!poller.poll(Math.clamp(wait, 0, LOOK_NANOS), this::read)) {
        throw new Complaint("a TUN device was removed; the kernel forwards by itself again");
      }
    }
  }

  private void read(int device, byte[] bytes, int length) {
    long now = System.nanoTime();
    if (device == 0) {
      scap.outbound(bytes, length, now);
    } else {
      scap.inbound(new PipeId(device - 1), bytes, length, now);
    }
  }

  /** A pipe whose device is down is out of use. */
  private void look() {
    for (int i = 0; i < far.size(); i++) {
      pipes.become(new PipeId(i), new NetworkDevice(routes.pipes().get(i).device()).isUp());
    }
  }

  /** Ends {@link #run}, from any thread. */
  void stop() {
    running = false;
    poller.wakeUp();
  }

  /** What it did; once {@link #run} has ended. */
  ScapCounts counts() {
    return scap.counts();
  }

  /** Packets that a device or the kernel did not take. */
  long refused() {
    return refused;
  }

  /** Hands out what is held, and gives the kernel its routes back. */
  @Override
  public void close() {
    scap.close();
    IpCommand.tryAll(routes.tearDown());
    captures.forEach(capture -> Kernel.close(capture.descriptor()));
    near.close();
    far.forEach(RawSocket::close);
    poller.close();
  }

  private final class Sending implements PacketOutput {
    @Override
    public void toPipe(PipeId pipe, Packet packet) {
      count(far.get(pipe.number()).send(packet.bytes()));
    }

    @Override
    public void toNear(Packet packet) {
      count(near.send(packet.bytes()));
    }

    private void count(int errno) {
      if (errno != 0) {
        refused++;
      }
    }
  }
}
