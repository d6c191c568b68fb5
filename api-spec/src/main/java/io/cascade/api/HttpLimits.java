package io.cascade.api;

import java.util.Map;

/**
 * Limits of the JDK's HTTP server, which takes them from system properties and reads those once, on
 * its first use. What was set on the command line stays. See the documentation of the module {@code
 * jdk.httpserver}, but for the unit of {@code maxReqTime} and {@code maxRspTime}: it says
 * milliseconds, and JDK 25 takes seconds.
 */
public final class HttpLimits {
  static final Map<String, String> PROPERTIES =
      Map.ofEntries(
          // Seconds that a connection may idle between requests.
          Map.entry("sun.net.httpserver.idleInterval", "60"),
          // Seconds for a request to arrive, headers and body.
          Map.entry("sun.net.httpserver.maxReqTime", "15"),
          // Seconds for an answer to be made and sent. A part may take its connect time-out of up
          // to 300 s to become ready.
          Map.entry("sun.net.httpserver.maxRspTime", "330"),
          // Milliseconds between two looks for what takes longer than that. Each wakes a thread.
          Map.entry("sun.net.httpserver.timerMillis", "5000"),
          Map.entry("sun.net.httpserver.maxReqHeaders", "64"),
          Map.entry("sun.net.httpserver.maxReqHeaderSize", "16384"),
          Map.entry("sun.net.httpserver.maxIdleConnections", "64"),
          Map.entry("jdk.httpserver.maxConnections", "512"),
          // Headers and body are two writes: with Nagle's algorithm the second would wait 40 ms.
          Map.entry("sun.net.httpserver.nodelay", "true"));

  private HttpLimits() {}

  /** Sets them; before the first server is made. */
  public static void apply() {
    PROPERTIES.forEach((name, value) -> {
      if (System.getProperty(name) == null) {
        System.setProperty(name, value);
      }
    });
  }
}
