package io.cascade.orchestrator.tls;

import io.cascade.api.HostPort;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Addresses at which others reach this server: the host that it is told to advertise, otherwise the
 * address that it listens on, otherwise those of this machine's networks.
 *
 * @param listen the local address
 * @param advertise null for none
 * @param tls whether TLS is served
 */
public record ServerUrls(InetAddress listen, @Nullable String advertise, boolean tls) {
  private static final int MOST = 4;

  /** Hosts, the preferred one first; empty without a network. */
  public List<String> hosts() {
    if (advertise != null) {
      return List.of(advertise);
    }
    if (!listen.isAnyLocalAddress()) {
      return List.of(listen.getHostAddress());
    }
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
          .map(address -> address.getHostAddress().replaceFirst("%.*", ""))
          .limit(MOST)
          .toList();
    } catch (SocketException e) {
      return List.of();
    }
  }

  /** URLs, the preferred one first. */
  public List<String> urls(int port) {
    return hosts().stream().map(host -> url(host, port)).toList();
  }

  private String url(String host, int port) {
    return (tls ? "https://" : "http://") + new HostPort(host, port);
  }

  /** URL at which this machine itself reaches the server. */
  public String local(int port) {
    return url(listen.isAnyLocalAddress() ? "127.0.0.1" : listen.getHostAddress(), port);
  }
}
