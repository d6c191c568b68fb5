package io.cascade.gateway.tunnel;

import io.cascade.api.identity.IdentityFile;
import io.cascade.command.FirstOptions;
import io.cascade.command.OptionSection;
import io.cascade.command.StopHook;
import io.cascade.command.TimeSpan;
import io.cascade.gateway.ip.ReversePathFilter;
import io.cascade.gateway.reporting.ReportLoop;
import io.cascade.gateway.tunnel.GatewaySettings.LinkRoute;
import io.cascade.packets.header.IpAddress;
import io.cascade.packets.queue.QueueLimits;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@FirstOptions({"--name", "--tun", "--address", "--dial", "--accept", "--route"})
@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    customSynopsis =
        "cascade gateway up --name NAME [--tun DEVICE --address ADDRESS] [--listen [ADDRESS:]PORT]"
            + " [--dial ...] [--accept ...] --route PREFIX=NAME... [OPTIONS]",
    description = {
      "Carry packets between networks and other gateways until it is stopped. Network coding"
          + " repairs losses between gateways, so that the hosts' TCP does not see them.",
      "Of two gateways one dials and the other accepts. They authenticate each other by a shared"
          + " key and encrypt what they carry. --delivery and --mtu must be the same at both.",
      "Needs Linux and root. Options can be kept in a file, one a line: cascade gateway up @FILE"
    },
    footer = {
      "",
      "Example: two networks, 10.1.0.0/16 behind gw1 and 10.2.0.0/16 behind gw2 at 203.0.113.2",
      "  (umask 077; openssl rand -hex 32 > /etc/cascade/gw1-gw2.key)     and a copy at gw2",
      "  gw1: cascade gateway up --name gw1 --tun tunnel0 --address 10.1.0.254 \\",
      "         --dial gw2=203.0.113.2:7800,key=/etc/cascade/gw1-gw2.key --route 10.2.0.0/16=gw2",
      "  gw2: cascade gateway up --name gw2 --tun tunnel0 --address 10.2.0.254 --listen 7800 \\",
      "         --accept gw1,key=/etc/cascade/gw1-gw2.key --route 10.1.0.0/16=gw1",
      "",
      "Example: a gateway between the two, which repairs the losses of its two paths separately",
      "  mid: cascade gateway up --name mid --address 10.3.0.1 --listen 7800 \\",
      "         --accept gw1,key=/etc/cascade/gw1-mid.key --route 10.1.0.0/16=gw1 \\",
      "         --dial gw2=203.0.113.2:7800,key=/etc/cascade/mid-gw2.key --route 10.2.0.0/16=gw2"
    })
final class GatewayUpVerb implements Callable<Integer> {
  private static final Pattern DEVICE = Pattern.compile("[a-z][a-z0-9-]{0,14}");
  private static final int LAST_TABLE = 1 << 30;
  private static final String LOCAL = "local";

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init")
  @Option(
      names = "--name",
      required = true,
      paramLabel = "NAME",
      description = "Name this gateway, for --accept of other gateways and for status.")
  private String name;

  @Option(
      names = "--tun",
      paramLabel = "DEVICE",
      description = "Create this TUN device for the routes. A gateway between two others has none.")
  private @Nullable String tun;

  @Option(
      names = "--address",
      paramLabel = "ADDRESS",
      description =
          "Answer with ICMP from this address, preferably one of the gateway's network. Once for"
              + " IPv4 and once for IPv6.")
  private List<String> addresses = List.of();

  @Option(
      names = "--listen",
      paramLabel = "[ADDRESS:]PORT",
      description = "Accept gateways that dial on this UDP port.")
  private @Nullable String listen;

  @Option(
      names = "--dial",
      paramLabel = "NAME=ADDRESS:PORT,key=FILE",
      description = "Dial this gateway. Repeatable.")
  private List<String> dial = List.of();

  @Option(
      names = "--accept",
      paramLabel = "NAME,key=FILE",
      description = "Accept the gateway with this --name. Repeatable.")
  private List<String> accept = List.of();

  @Option(
      names = "--route",
      paramLabel = "PREFIX=NAME",
      description = {
        "Route this prefix to a gateway. Repeatable; the longest match decides. A packet from a"
            + " gateway is accepted only if these routes place its source behind that gateway."
            + " PREFIX=local leaves addresses of this side within such a prefix to the kernel's"
            + " routes."
      })
  private List<String> routes = List.of();

  @Option(
      names = "--mtu",
      paramLabel = "BYTES",
      defaultValue = "1400",
      description =
          "Set the longest packet in the tunnel, 576 to 1428 (default: ${DEFAULT-VALUE}).")
  private int mtu = GatewaySettings.USUAL_MTU;

  @OptionSection(OptionSection.TO_COMPARE)
  @Option(
      names = "--delivery",
      paramLabel = "WHICH",
      defaultValue = "datagram",
      description = {
        "datagram: deliver a packet as soon as it is decoded, held for order within its flow for at"
            + " most six round trips and 300 ms. ordered: deliver all packets in order, with (n,m)"
            + " blocks and a buffer of 164 packets, as the TCP/NC tunnel (default:"
            + " ${DEFAULT-VALUE})."
      })
  private DeliveryMode deliveryMode = DeliveryMode.DATAGRAM;

  @Option(
      names = "--urgency",
      paramLabel = "WHICH",
      defaultValue = "bulk",
      description =
          "bulk: send as few repairs as needed. prompt: send more, if a packet's delay matters more"
              + " than the rate (default: ${DEFAULT-VALUE}).")
  private Urgency urgency = Urgency.BULK;

  @Option(
      names = "--queue-target",
      paramLabel = "TIME",
      defaultValue = "5ms",
      converter = TimeSpan.Converter.class,
      description =
          "Keep the queue before each link at this delay, by drops or ECN marks; on a slow link at"
              + " the time of eight packets of each flow (default: ${DEFAULT-VALUE}).")
  private TimeSpan queueTarget = new TimeSpan(0.005);

  @Option(
      names = "--queue-packets",
      paramLabel = "N",
      defaultValue = "1024",
      description = "Queue at most N packets before each link (default: ${DEFAULT-VALUE}).")
  private int queuePackets = 1_024;

  @Option(
      names = "--clamp-mss",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "Lower the segment size that TCP SYNs announce to what fits (default: ${DEFAULT-VALUE}).")
  private boolean clampMss = true;

  @Option(
      names = "--table",
      paramLabel = "N",
      defaultValue = "7800",
      description =
          "Use this routing table, and N as the preference of its rules (default:"
              + " ${DEFAULT-VALUE}).")
  private int table = 7_800;

  @Option(
      names = "--control",
      paramLabel = "FILE",
      description = "Answer status on this socket (default: /run/cascade/gateway-NAME.sock).")
  private @Nullable Path control;

  @Option(
      names = "--metrics",
      paramLabel = "[ADDRESS:]PORT",
      description =
          "Serve /metrics to Prometheus on this TCP port; without an address on 127.0.0.1.")
  private @Nullable String metrics;

  @Mixin private GatewayReportOptions reports = new GatewayReportOptions();

  /** Weight of a packet's delay. */
  enum Urgency {
    BULK,
    PROMPT
  }

  @Override
  public Integer call() throws InterruptedException {
    GatewaySettings settings = settings();
    CountDownLatch ended = new CountDownLatch(1);
    PrintWriter out = spec.commandLine().getOut();
    Path socket = control == null ? StatusSocket.usualPath(name) : control;
    if (reports.isGiven()) {
      reports.listen(settings.listen()); // Before anything is opened, since it may fail.
    }
    // The path first: a running gateway of the same name must not be affected.
    try (IdentityFile identity = reports.isGiven() ? reports.identity(name) : null;
        StatusSocket answering = StatusSocket.claim(socket)) {
      carry(Gateway.open(settings), identity, answering, ended, out);
    } finally {
      ended.countDown();
    }
    return 0;
  }

  private void carry(
      Gateway gateway,
      @Nullable IdentityFile identity,
      StatusSocket answering,
      CountDownLatch ended,
      PrintWriter out)
      throws InterruptedException {
    answering.answer(gateway::status);
    noteSilence(gateway.settings(), out);
    try (MetricsServer page = metrics == null ? null : metrics(metrics, gateway);
        StopHook hook = StopHook.install(gateway::stop, ended);
        ReportLoop reporter = identity == null ? null : reports.start(gateway, identity)) {
      out.println(
          "gateway ready: %s, %d links, %d routes; cascade gateway status %s"
              .formatted(
                  name,
                  gateway.settings().links().size(),
                  gateway.settings().routes().size(),
                  name));
      out.flush();
      gateway.awaitEnd();
    } finally {
      gateway.close();
    }
  }

  /**
   * Prints which settings suppress ICMP answers to hosts: a strict reverse-path filter, or no own
   * address of a routed IP version.
   */
  private static void noteSilence(GatewaySettings settings, PrintWriter out) {
    if (settings.tun() != null && ReversePathFilter.isStrict(ReversePathFilter.ALL)) {
      out.println(
          "the kernel drops what this gateway answers; fix: sysctl -w"
              + " net.ipv4.conf.all.rp_filter=2");
    }
    for (int bits : new int[] {IpAddress.V4_BITS, IpAddress.V6_BITS}) {
      boolean isRouted =
          settings.routes().stream().anyMatch(route -> route.prefix().address().bits() == bits);
      if (isRouted && settings.addresses().stream().noneMatch(at -> at.bits() == bits)) {
        out.println(
            ("no %s --address: senders get no ICMP errors for packets that are too long or have no"
                    + " route")
                .formatted(bits == IpAddress.V4_BITS ? "IPv4" : "IPv6"));
      }
    }
  }

  private MetricsServer metrics(String text, Gateway gateway) {
    InetSocketAddress at = parsed("--metrics", text, LinkText::socket);
    boolean isLocal = text.indexOf(':') < 0;
    return MetricsServer.serve(
        isLocal ? new InetSocketAddress(InetAddress.getLoopbackAddress(), at.getPort()) : at,
        gateway::status);
  }

  private GatewaySettings settings() {
    check(LinkText.NAME.matcher(name).matches(), "--name '" + name + "' (expected: a-z, 0-9, -)");
    check(
        tun == null || DEVICE.matcher(tun).matches(),
        "--tun '" + tun + "' (expected: a-z, 0-9, -, at most 15 characters)");
    check(
        table >= 1 && table <= LAST_TABLE,
        "--table " + table + " (expected: 1 to " + LAST_TABLE + ")");
    check(queuePackets >= 2, "--queue-packets " + queuePackets + " (expected: >= 2)");
    List<LinkSettings> links = new ArrayList<>();
    dial.forEach(text -> links.add(parsed("--dial", text, LinkText::dial)));
    accept.forEach(text -> links.add(parsed("--accept", text, LinkText::accept)));
    List<String> names = links.stream().map(LinkSettings::peer).toList();
    check(
        !links.isEmpty() || reports.isGiven(),
        "no other gateway: --dial, --accept or --orchestrator");
    check(links.isEmpty() || !routes.isEmpty(), "no route: --route PREFIX=NAME");
    check(new HashSet<>(names).size() == names.size(), "a gateway is given twice: " + names);
    check(
        !names.contains(LOCAL), "a gateway is called local: --route PREFIX=local means this side");
    check(accept.isEmpty() || listen != null, "--accept needs --listen PORT");
    check(tun == null || !addresses.isEmpty(), "--tun needs --address");
    InetSocketAddress at = listen == null ? null : parsed("--listen", listen, LinkText::socket);
    return parsed(
        "--mtu",
        String.valueOf(mtu),
        _ ->
            new GatewaySettings(
                name,
                tun,
                addresses.stream()
                    .map(text -> parsed("--address", text, PrefixText::address))
                    .toList(),
                at,
                links,
                routes.stream().map(text -> route(text, names)).toList(),
                mtu,
                deliveryMode,
                urgency == Urgency.PROMPT ? 1 : 0,
                queue(),
                clampMss,
                table));
  }

  private QueueLimits queue() {
    long target = Math.round(queueTarget.seconds() * 1e9);
    return new QueueLimits(
        queuePackets,
        target,
        Math.max(target, QueueLimits.USUAL.intervalNanos()),
        Math.max(target, QueueLimits.USUAL.mostSojournNanos()));
  }

  private LinkRoute route(String text, List<String> names) {
    int equals = text.lastIndexOf('=');
    String link = equals < 0 ? "" : text.substring(equals + 1);
    boolean isLocal = link.equals(LOCAL);
    check(
        isLocal || names.contains(link),
        "--route '%s' (expected: PREFIX=NAME with one of %s, or PREFIX=local)"
            .formatted(text, names));
    check(!isLocal || tun != null, "--route '%s' needs --tun".formatted(text));
    return new LinkRoute(
        parsed("--route", text.substring(0, equals), PrefixText::prefix),
        isLocal ? LinkRoute.LOCAL : names.indexOf(link));
  }

  private <T> T parsed(String option, String text, Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), option + " " + e.getMessage());
    }
  }

  private void check(boolean holds, String message) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }
}
