package io.cascade.api;

import java.util.Map;

/**
 * Limits of the JDK's HTTP server, which takes them from system properties and reads those once, on
 * its first use. Values from the command line take precedence. See the documentation of the module
 * {@code jdk.httpserver}, except for the unit of {@code maxReqTime} and {@code maxRspTime}: it says
 * milliseconds, but JDK 25 uses seconds.
 */
public final class HttpLimits {
  static final Map<String, String> PROPERTIES =
      Map.ofEntries(
          // Seconds for which a connection may be idle between requests.
          Map.entry("sun.net.httpserver.idleInterval", "60"),
          // Seconds for a request to arrive, headers and body.
          Map.entry("sun.net.httpserver.maxReqTime", "15"),
          // Seconds for an answer to be prepared and sent. A part may take its connect time-out of
          // up to 300 s to become ready.
          Map.entry("sun.net.httpserver.maxRspTime", "330"),
          // Milliseconds between two checks of these limits. Each wakes a thread.
          Map.entry("sun.net.httpserver.timerMillis", "5000"),
          Map.entry("sun.net.httpserver.maxReqHeaders", "64"),
          Map.entry("sun.net.httpserver.maxReqHeaderSize", "16384"),
          Map.entry("sun.net.httpserver.maxIdleConnections", "64"),
          Map.entry("jdk.httpserver.maxConnections", "512"),
          // Headers and body are two writes: with Nagle's algorithm the second would be delayed by
          // 40 ms.
          Map.entry("sun.net.httpserver.nodelay", "true"));

  private HttpLimits() {}

  /** Sets the limits. Has to be called before the first server is created. */
  public static void apply() {
    PROPERTIES.forEach((name, value) -> {
      if (System.getProperty(name) == null) {
        System.setProperty(name, value);
      }
    });
  }
}
