package io.cascade.client.doctor;

import io.cascade.api.HostPort;
import io.cascade.command.names.NamedPeer;
import io.cascade.contract.Quantities;
import io.cascade.model.tcp.MathisThroughput;
import io.cascade.model.tcp.PathConditions;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import jdk.net.ExtendedSocketOptions;

/**
 * Checks the path to a host that {@link Answering answers}: TCP, UDP both ways, round trip, loss,
 * the largest packet, the clocks, and the expected rate of a connection.
 *
 * @param epochMillis this host's time of day
 */
record PeerChecks(HostPort peer, LongSupplier epochMillis) {
  /** Consecutive probes that measure loss. */
  private static final int PROBES = 250;

  private static final Duration SPACING = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** Packet sizes in bytes, with the headers of IP and UDP. */
  private static final int[] PACKETS = {1_500, 1_480, 1_420, 1_400, 1_280};

  private static final int LAST = PACKETS.length + PROBES;
  private static final int IPV4_HEADERS = 28;
  private static final int IPV6_HEADERS = 48;
  private static final int USUAL_MTU = 1_500;
  private static final int SEGMENT_BYTES = 1_448;

  List<Finding> all() throws InterruptedException {
    List<Finding> found = new ArrayList<>();
    NamedPeer named;
    try {
      named = NamedPeer.resolve(peer.host(), peer.port());
    } catch (UnknownHostException e) {
      return List.of(
          Finding.bad(
              "peer", peer.host() + ": no such host", "another --peer, or a line in /etc/hosts"));
    }
    InetSocketAddress at = new InetSocketAddress(named.addresses().getFirst(), named.port());
    try (SocketChannel connection = named.connect(CONNECT_TIMEOUT)) {
      at = (InetSocketAddress) connection.getRemoteAddress();
      found.add(Finding.good("TCP", "connects to " + peer));
    } catch (IOException e) {
      String why =
          e instanceof SocketTimeoutException
              ? "no answer within %d s: a firewall drops it".formatted(CONNECT_TIMEOUT.toSeconds())
              : String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
      found.add(
          Finding.bad(
              "TCP",
              peer + ": " + why,
              "./cascade doctor --answer %d there; let TCP port %d in"
                  .formatted(peer.port(), peer.port())));
    }
    found.addAll(overUdp(at));
    return found;
  }

  private List<Finding> overUdp(InetSocketAddress at) throws InterruptedException {
    try (DatagramChannel channel = DatagramChannel.open()) {
      channel.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
      channel.connect(at);
      ProbeAnswers answers = new ProbeAnswers(channel, LAST + 1, epochMillis);
      answers.ask(0, ProbeDatagram.LEAST_BYTES);
      answers.ask(0, ProbeDatagram.LEAST_BYTES); // One probe may be lost.
      if (!answers.awaitAny(PATIENCE)) {
        return List.of(
            Finding.bad(
                "UDP",
                "no answer of " + peer + ", so coded sessions cannot be used",
                "./cascade doctor --answer %d there; let UDP port %d in, and its answers out"
                    .formatted(peer.port(), peer.port())));
      }
      List<Finding> found = new ArrayList<>();
      found.add(Finding.good("UDP", "both ways"));
      found.add(
          mtu(answers, at.getAddress() instanceof Inet6Address ? IPV6_HEADERS : IPV4_HEADERS));
      found.addAll(path(answers));
      return found;
    } catch (IOException e) {
      return List.of(
          Finding.bad(
              "UDP",
              String.valueOf(e.getMessage()),
              "let UDP port %d in there".formatted(peer.port())));
    }
  }

  private static Finding mtu(ProbeAnswers answers, int headers) throws InterruptedException {
    for (int number = 1; number <= PACKETS.length; number++) {
      answers.ask(number, PACKETS[number - 1] - headers);
      answers.ask(number, PACKETS[number - 1] - headers); // One probe may be lost.
    }
    TimeUnit.NANOSECONDS.sleep(PATIENCE.toNanos());
    for (int number = 1; number <= PACKETS.length; number++) {
      if (answers.has(number)) {
        int mtu = PACKETS[number - 1];
        return mtu == USUAL_MTU
            ? Finding.good("MTU", "packets of 1500 bytes pass whole")
            : Finding.note(
                "MTU",
                "packets of more than %d bytes do not pass".formatted(mtu),
                "nothing for Cascade, which finds the size; for others ip link set DEVICE mtu "
                    + mtu);
      }
    }
    return Finding.note(
        "MTU", "packets of 1280 bytes do not pass", "look for a tunnel on the way that drops them");
  }

  private List<Finding> path(ProbeAnswers answers) throws InterruptedException {
    for (int number = PACKETS.length + 1; number <= LAST; number++) {
      answers.ask(number, ProbeDatagram.LEAST_BYTES);
      TimeUnit.NANOSECONDS.sleep(SPACING.toNanos());
    }
    TimeUnit.NANOSECONDS.sleep(PATIENCE.toNanos());
    int lost = 0;
    for (int number = PACKETS.length + 1; number <= LAST; number++) {
      lost += answers.has(number) ? 0 : 1;
    }
    Duration rtt = answers.leastRoundTrip();
    List<Finding> found = new ArrayList<>();
    found.add(
        Finding.good(
            "path",
            "%.2f ms there and back; %d of %d packets lost"
                .formatted(rtt.toNanos() / 1e6, lost, PROBES)));
    found.add(OrchestratorChecks.difference(peer.host() + "'s", answers.ahead()));
    found.add(expectation(rtt, (double) lost / PROBES));
    return found;
  }

  /**
   * Expected rate of one connection.
   *
   * @param loss share of probes without an answer, of which half are taken to be lost on the way
   *     there
   */
  static Finding expectation(Duration rtt, double loss) {
    if (loss == 0) {
      return Finding.good(
          "expect",
          "no loss was seen: one connection carries what the link does, once its window has grown");
    }
    double most =
        MathisThroughput.RANDOM_LOSS.bitsPerSecond(
            PathConditions.uncapped(rtt.toNanos() / 1e9, loss / 2, SEGMENT_BYTES));
    return Finding.note(
        "expect",
        "one connection with reno or cubic carries about %s at these losses; bbr and coded sessions are not held back by them"
            .formatted(Quantities.rate(most)),
        "./cascade plan --to HOST:PORT --test says what relays would gain");
  }
}
