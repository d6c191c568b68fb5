package io.cascade.api.client;

import io.cascade.api.BoundedMap;
import io.cascade.api.HostPort;
import io.cascade.command.names.NamedPeer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the address of a name that answers first (RFC 8305), since the JDK's client uses only the
 * first address of a name. A request is sent to that address, with the name as its Host. Blocks.
 *
 * <p>An address is remembered while it answers. The search is repeated after a failure, and when
 * the JDK's client has to connect anyway.
 */
final class AnsweringAddresses {
  private static final String RESTRICTED = "jdk.httpclient.allowRestrictedHeaders";

  /** Time after which the JDK's client closes an idle connection. */
  private static final long KEPT_NANOS = Duration.ofSeconds(30).toNanos();

  private static final int MOST = 64;
  private static final Pattern IPV4 = Pattern.compile("[0-9.]+");

  /** RFC 9110, section 15.4.8. */
  private static final int TEMPORARY_REDIRECT = 307;

  private final Names names;
  private final Duration connectTimeout;
  private final Map<String, Answered> answered = BoundedMap.ofLatestUsed(MOST);

  /** Resolver of names. */
  interface Names {
    NamedPeer resolve(String host, int port) throws UnknownHostException;
  }

  /** Sends a request and waits for its answer. */
  interface Sending<T> {
    T send(HttpRequest request) throws IOException, InterruptedException;
  }

  private record Answered(InetAddress address, long atNanos) {
    boolean isKept() {
      return System.nanoTime() - atNanos < KEPT_NANOS;
    }
  }

  /**
   * @param connectTimeout time-out for each address
   */
  AnsweringAddresses(Names names, Duration connectTimeout) {
    this.names = names;
    this.connectTimeout = connectTimeout;
  }

  /**
   * Allows requests to set their Host. The JDK reads the permission once, with the first request of
   * the process; if it is set later, calls use the address that the JDK chooses.
   */
  static void allowHost() {
    if (System.getProperty(RESTRICTED) == null) {
      System.setProperty(RESTRICTED, "host");
    }
  }

  private static boolean mayNameHost() {
    try {
      HttpRequest.Builder _ = HttpRequest.newBuilder().header("Host", "name");
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Sends to the address that answers. If a connection to it fails, the request was not sent, and
   * is sent once more, to the address that answers now.
   */
  <T> T send(HttpRequest request, Sending<T> sending) throws IOException, InterruptedException {
    Answered known = known(request.uri());
    InetAddress address = known == null ? quickest(request.uri()) : known.address();
    if (address == null) {
      return sending.send(request);
    }
    try {
      return sendTo(address, request, sending);
    } catch (ConnectException | HttpConnectTimeoutException e) {
      InetAddress another = quickest(request.uri());
      if (another == null) {
        throw e;
      }
      return sendTo(another, request, sending);
    }
  }

  private <T> T sendTo(InetAddress address, HttpRequest request, Sending<T> sending)
      throws IOException, InterruptedException {
    HttpRequest there =
        HttpRequest.newBuilder(request, (_, _) -> true)
            .uri(at(address, request.uri()))
            .setHeader("Host", host(request.uri()))
            .build();
    boolean isAnswered = false;
    try {
      T answer = sending.send(there);
      isAnswered = !(answer instanceof HttpResponse<?> response) || serves(response.statusCode());
      return answer;
    } finally {
      remember(request.uri(), isAnswered ? new Answered(address, System.nanoTime()) : null);
    }
  }

  /**
   * Whether the server is to be called again at this address: a standby of an orchestrator
   * redirects.
   */
  private static boolean serves(int status) {
    return status != HttpURLConnection.HTTP_UNAVAILABLE && status != TEMPORARY_REDIRECT;
  }

  private synchronized @Nullable Answered known(URI named) {
    Answered known = answered.get(host(named));
    return known != null && known.isKept() ? known : null;
  }

  private synchronized void remember(URI named, @Nullable Answered known) {
    if (known == null) {
      answered.remove(host(named));
    } else {
      answered.put(host(named), known);
    }
  }

  /**
   * Connects to the addresses of a name, and closes the connections.
   *
   * @param named a URI of HTTP or of a WebSocket
   * @return the address that answered first; null if there is no choice, or no connection was made
   *     and the JDK's client will report why
   * @throws HttpConnectTimeoutException if none answered in time
   * @throws ClosedByInterruptException if the thread was interrupted
   */
  @Nullable InetAddress quickest(URI named) throws IOException {
    if (!isName(named.getHost()) || isProxied(named) || !mayNameHost()) {
      return null;
    }
    try {
      NamedPeer peer = names.resolve(named.getHost(), port(named));
      if (peer.addresses().size() > 1) {
        try (SocketChannel reached = peer.connect(connectTimeout)) {
          InetAddress address = ((InetSocketAddress) reached.getRemoteAddress()).getAddress();
          return isProxied(at(address, named)) ? null : address;
        }
      }
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (SocketTimeoutException e) {
      HttpConnectTimeoutException late = new HttpConnectTimeoutException("connect timed out");
      late.initCause(e);
      throw late;
    } catch (IOException e) {
      // The client fails in the same way, and its message is known.
    }
    return null;
  }

  /**
   * Connects to the server of a URI and closes the connection, to find out whether a process
   * listens there. Does nothing if a proxy would connect in place of the client.
   *
   * @throws IOException if no address of the host accepts a connection
   */
  void reach(URI named) throws IOException {
    if (!isProxied(named)) {
      names.resolve(named.getHost(), port(named)).connect(connectTimeout).close();
    }
  }

  /** Whether a proxy connects in place of the client. */
  private static boolean isProxied(URI named) {
    ProxySelector proxies = ProxySelector.getDefault();
    URI http = URI.create(named.toString().replaceFirst("^ws", "http"));
    return proxies != null
        && proxies.select(http).stream().anyMatch(proxy -> proxy.type() == Proxy.Type.HTTP);
  }

  /** Whether a URI's host is a name instead of an address. */
  static boolean isName(String host) {
    return host.indexOf(':') < 0 && !IPV4.matcher(host).matches();
  }

  /** The same resource at an address of its host. */
  static URI at(InetAddress address, URI named) {
    HostPort there = new HostPort(address.getHostAddress(), port(named));
    String query = named.getRawQuery() == null ? "" : "?" + named.getRawQuery();
    return URI.create(named.getScheme() + "://" + there + named.getRawPath() + query);
  }

  /** The value of the header Host. */
  static String host(URI named) {
    return named.getPort() < 0 ? named.getHost() : named.getHost() + ":" + named.getPort();
  }

  private static int port(URI named) {
    if (named.getPort() >= 0) {
      return named.getPort();
    }
    return isEncrypted(named) ? 443 : 80;
  }

  /** Whether a URI's scheme uses TLS. */
  static boolean isEncrypted(URI named) {
    return named.getScheme().equalsIgnoreCase("https") || named.getScheme().equalsIgnoreCase("wss");
  }
}
