package io.cascade.gateway.scap;

import io.cascade.packets.encapsulation.PipeMeasurement;
import io.cascade.packets.header.Packet;
import io.cascade.packets.pipes.Pipe;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.Pipes;
import io.cascade.packets.scap.PacketOutput;
import io.cascade.packets.scap.Scap;
import io.cascade.packets.scap.ScapSettings;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** The pipes to one side, and the splitter/combiner for their packets. Used by one thread. */
final class PipeSide implements AutoCloseable {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final long LOOK_AT_DEVICES_NANOS = 1_000_000_000L;
  private static final long LOOK_AT_MEASURED_NANOS = 100_000_000L;

  /**
   * Interval at which a pipe's route is set again, since the device may have been down between two
   * checks.
   */
  private static final long ROUTE_AGAIN_NANOS = 5_000_000_000L;

  private final List<PipeSpec> specs;
  private final List<PipePort> ports;
  private final Pipes pipes;
  private final Scap scap;
  private final Consumer<byte[]> other;
  private final IntConsumer restoreRoute;
  private final boolean[] isDown;
  private final long[] refused;
  private final long[] lookedNanos;
  private final long[] routedNanos;
  private boolean looked;

  /**
   * @param other receives the packets for the other side
   * @param restoreRoute sets a pipe's route again, which the kernel removes when the device goes
   *     down; does not block
   */
  PipeSide(
      List<PipeSpec> specs,
      List<PipePort> ports,
      ScapSettings settings,
      Consumer<byte[]> other,
      IntConsumer restoreRoute) {
    this.specs = List.copyOf(specs);
    this.ports = List.copyOf(ports);
    this.pipes = new Pipes(specs.stream().map(PipeSpec::properties).toList());
    this.scap = new Scap(settings, pipes, new Sending(), RANDOM.nextInt());
    this.other = other;
    this.restoreRoute = restoreRoute;
    this.isDown = new boolean[ports.size()];
    this.refused = new long[ports.size()];
    this.lookedNanos = new long[ports.size()];
    this.routedNanos = new long[ports.size()];
    Arrays.fill(routedNanos, System.nanoTime());
  }

  List<PipeSpec> specs() {
    return specs;
  }

  List<PipePort> ports() {
    return ports;
  }

  Pipes pipes() {
    return pipes;
  }

  Scap scap() {
    return scap;
  }

  /** Packets of one pipe that the kernel rejected. */
  long refused(int pipe) {
    return refused[pipe];
  }

  /** Packets of all pipes that the kernel rejected. */
  long refused() {
    long sum = 0;
    for (long each : refused) {
      sum += each;
    }
    return sum;
  }

  /** Handles a packet from the other side. */
  void outbound(byte[] packet, long nowNanos) {
    scap.outbound(packet, packet.length, nowNanos);
  }

  /** Handles what was read from a port. */
  void read(int port, byte[] bytes, int length) {
    long now = System.nanoTime();
    PipeId id = new PipeId(port);
    PipePort.Taker taker =
        new PipePort.Taker() {
          @Override
          public void packet(byte[] packet) {
            pipes.at(id).countReceived(packet.length);
            scap.inbound(id, packet, packet.length, now);
          }

          @Override
          public void signal(byte[] message) {
            scap.signalled(message);
          }
        };
    ports.get(port).read(bytes, length, now, taker);
  }

  /**
   * Performs due work.
   *
   * @param drainedNanos everything that had arrived by then was read
   */
  void tick(long nowNanos, long drainedNanos) {
    for (int i = 0; i < ports.size(); i++) {
      PipePort port = ports.get(i);
      port.tick(nowNanos);
      boolean datagrams = specs.get(i).peer() != null;
      long interval = datagrams ? LOOK_AT_MEASURED_NANOS : LOOK_AT_DEVICES_NANOS;
      if (!looked || nowNanos - lookedNanos[i] >= interval) {
        lookedNanos[i] = nowNanos;
        look(new PipeId(i), port, nowNanos);
      }
    }
    looked = true;
    scap.tick(drainedNanos);
  }

  private void look(PipeId id, PipePort port, long nowNanos) {
    if (specs.get(id.number()).hasRoute() && lacksRoute(id.number(), nowNanos)) {
      return; // The pipe is used from the next check on, when it has its route again.
    }
    pipes.become(id, port.isUp(nowNanos));
    PipeMeasurement measurement = port.measurement();
    if (measurement != null) {
      long leastReturnNanos = leastReturnNanos(measurement);
      pipes.measured(id, measurement.withReturn(leastReturnNanos));
      pipes.at(id).returnsAfter(measurement.laterBy(leastReturnNanos));
      pipes.at(id).freeFrom(measurement.freeNanos());
    }
  }

  /** Acknowledgments are sent back over the pipe on which that takes the least time. */
  private long leastReturnNanos(PipeMeasurement measurement) {
    long least = measurement.returnNanos();
    for (int i = 0; i < ports.size(); i++) {
      PipeMeasurement each = ports.get(i).measurement();
      if (each != null && pipes.at(new PipeId(i)).usable()) {
        least = Math.min(least, each.returnNanos());
      }
    }
    return least;
  }

  /**
   * Requests that the route is set again; returns whether the device was down at the last check.
   */
  private boolean lacksRoute(int pipe, long nowNanos) {
    boolean wasDown = isDown[pipe];
    isDown[pipe] = !ports.get(pipe).deviceIsUp();
    boolean cameBack = wasDown && !isDown[pipe];
    if (cameBack || (!isDown[pipe] && nowNanos - routedNanos[pipe] >= ROUTE_AGAIN_NANOS)) {
      routedNanos[pipe] = nowNanos;
      restoreRoute.accept(pipe);
    }
    return cameBack;
  }

  long nextNanos() {
    long next = scap.nextNanos();
    for (PipePort port : ports) {
      next = Math.min(next, port.nextNanos());
    }
    return next;
  }

  /** Releases held packets. */
  @Override
  public void close() {
    scap.close();
    ports.forEach(PipePort::close);
  }

  private final class Sending implements PacketOutput {
    @Override
    public void toPipe(PipeId id, Packet packet) {
      Pipe pipe = pipes.at(id);
      if (ports.get(id.number()).send(packet.bytes(), System.nanoTime())) {
        pipe.countSent(packet.bytes().length);
      } else {
        refused[id.number()]++;
      }
    }

    @Override
    public void toNear(Packet packet) {
      other.accept(packet.bytes());
    }

    @Override
    public void signal(byte[] message) {
      boolean sent = false;
      for (int i = 0; i < ports.size() && !sent; i++) {
        sent = pipes.at(new PipeId(i)).usable() && ports.get(i).signal(message, System.nanoTime());
      }
    }
  }
}
