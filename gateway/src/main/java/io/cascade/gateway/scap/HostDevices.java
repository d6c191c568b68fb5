package io.cascade.gateway.scap;

import io.cascade.command.CommandException;
import io.cascade.gateway.ip.IpCommand;
import io.cascade.gateway.ip.ReversePathFilter;
import io.cascade.kernel.Kernel;
import io.cascade.kernel.NetworkDevice;
import io.cascade.kernel.RawSocket;
import io.cascade.kernel.TunDevice;
import io.cascade.kernel.UdpSocket;
import io.cascade.kernel.settings.KernelSettings;
import io.cascade.packets.encapsulation.PipeEnd;
import io.cascade.packets.header.IpAddress;
import io.cascade.packets.header.IpPrefix;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Devices, sockets and routes of a splitter/combiner, opened together or not at all.
 *
 * @param near null in a chain
 */
record HostDevices(@Nullable NearDevice near, List<PipePort> nearPorts, List<PipePort> farPorts) {
  private static final IpPrefix ANY = new IpPrefix(IpAddress.of(new byte[4]), 0);
  private static final SecureRandom RANDOM = new SecureRandom();

  /**
   * @throws CommandException that names what is missing
   */
  static HostDevices open(CaptureRoutes routes) {
    checkForwarding();
    List<PipeSpec> pipes = new ArrayList<>(routes.nearPipes());
    pipes.addAll(routes.farPipes());
    pipes.forEach(HostDevices::checkReversePath);
    int leastMtu = leastMtu(pipes);
    int nearMtu = routes.near() == null ? leastMtu : new NetworkDevice(routes.near()).mtu();
    routes.checkFree();
    List<AutoCloseable> opened = new ArrayList<>();
    try {
      NearDevice near = null;
      if (routes.near() != null) {
        RawSocket socket = RawSocket.on(routes.near());
        opened.add(socket);
        near = new NearDevice(socket, capture(routes.nearDevice(), opened));
      }
      List<DevicePort> bare = new ArrayList<>();
      for (int i = 0; i < routes.nearPipes().size(); i++) {
        bare(routes.nearPipes().get(i), routes.nearPipeDevice(i), opened, bare);
      }
      for (int i = 0; i < routes.farPipes().size(); i++) {
        bare(routes.farPipes().get(i), routes.farPipeDevice(i), opened, bare);
      }
      pipes.forEach(HostDevices::checkPort);
      // Earlier failures leave the rules alone: they may belong to a running process of the same
      // name.
      opened.add(routes::tearDown);
      routes.tearDown(); // Removes what a killed process has left.
      IpCommand.run(routes.setUp(nearMtu, leastMtu));
      List<IpPrefix> far = routes.far().stream().map(HostDevices::prefix).toList();
      List<PipePort> nearPorts = ports(routes.nearPipes(), bare, List.of(ANY), far, opened);
      List<PipePort> farPorts = ports(routes.farPipes(), bare, far, List.of(ANY), opened);
      return new HostDevices(near, nearPorts, farPorts);
    } catch (RuntimeException e) {
      opened.forEach(HostDevices::closeQuietly);
      throw e;
    }
  }

  /** Opens what a bare device needs before the rules route packets to it. */
  private static void bare(
      PipeSpec pipe, String capture, List<AutoCloseable> opened, List<DevicePort> bare) {
    if (pipe.peer() == null) {
      RawSocket socket = RawSocket.on(pipe.device());
      opened.add(socket);
      int index = new NetworkDevice(pipe.device()).index();
      bare.add(new DevicePort(pipe.device(), index, socket, capture(capture, opened)));
    }
  }

  private static void checkPort(PipeSpec pipe) {
    if (pipe.peer() != null) {
      UdpSocket.checkFree(pipe.device(), pipe.peer().getPort());
    }
  }

  private static TunDevice capture(String name, List<AutoCloseable> opened) {
    TunDevice device = TunDevice.make(name);
    opened.add(() -> Kernel.close(device.descriptor()));
    return device;
  }

  /**
   * Opens the ports of pipes, in order; called once the routes are set, which datagram sockets use.
   */
  private static List<PipePort> ports(
      List<PipeSpec> pipes,
      List<DevicePort> bare,
      List<IpPrefix> sources,
      List<IpPrefix> destinations,
      List<AutoCloseable> opened) {
    List<PipePort> ports = new ArrayList<>();
    for (PipeSpec pipe : pipes) {
      if (pipe.peer() == null) {
        ports.add(bare.removeFirst());
        continue;
      }
      UdpSocket socket = UdpSocket.open(pipe.device(), pipe.peer().getPort(), pipe.peer());
      opened.add(socket);
      long token = RANDOM.nextLong() | 1;
      PipeEnd end =
          new PipeEnd(
              token,
              pipe.properties(),
              pipe.rateIsGiven(),
              pipe.queueIsGiven(),
              sources,
              destinations);
      ports.add(new DatagramPort(new NetworkDevice(pipe.device()), socket, end));
    }
    return List.copyOf(ports);
  }

  /** The largest packet that fits every pipe. */
  static int leastMtu(List<PipeSpec> pipes) {
    return pipes.stream()
        .mapToInt(pipe -> new NetworkDevice(pipe.device()).mtu() - pipe.overheadBytes())
        .min()
        .orElseThrow();
  }

  /** The largest segment that fits every pipe, with IPv4 and TCP headers without options. */
  static int mostSegmentBytes(List<PipeSpec> pipes) {
    return leastMtu(pipes) - 40;
  }

  private static IpPrefix prefix(String text) {
    int slash = text.indexOf('/');
    try {
      byte[] address =
          InetAddress.getByName(slash < 0 ? text : text.substring(0, slash)).getAddress();
      int length = slash < 0 ? 8 * address.length : Integer.parseInt(text.substring(slash + 1));
      return new IpPrefix(IpAddress.of(address), length);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("'" + text + "' (expected: a prefix)", e);
    }
  }

  private static void checkForwarding() {
    String forwards = KernelSettings.ofThisHost().read("net.ipv4.ip_forward");
    if (forwards.isEmpty()) {
      throw new CommandException("/proc/sys/net/ipv4/ip_forward cannot be read; scap needs Linux");
    }
    if (!forwards.equals("1")) {
      throw new CommandException(
          "the kernel does not forward packets here; fix: sysctl -w net.ipv4.ip_forward=1");
    }
  }

  /**
   * Checks for a strict filter (RFC 3704 section 2.2), which drops packets that arrive by another
   * device than the kernel's route to their source, and so the packets of all pipes except one.
   */
  private static void checkReversePath(PipeSpec pipe) {
    if (pipe.peer() == null && ReversePathFilter.isStrict(pipe.device())) {
      throw new CommandException(
          "the kernel drops packets that arrive by %s and would leave by another device; fix:"
                  .formatted(pipe.device())
              + " sysctl -w net.ipv4.conf.all.rp_filter=2");
    }
  }

  private static void closeQuietly(AutoCloseable opened) {
    try {
      opened.close();
    } catch (Exception e) {
      // The process will end.
    }
  }
}
