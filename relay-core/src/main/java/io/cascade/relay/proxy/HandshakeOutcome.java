package io.cascade.relay.proxy;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** What became of a connection to a proxy's port before it was a stream. */
enum HandshakeOutcome {
  /** A stream of its own. */
  DIRECT,
  /** A stream through a chain. */
  CHAIN,
  /** Not the port's protocol, or more of it than anybody needs. */
  MALFORMED,
  /** BIND, UDP ASSOCIATE, or an HTTP method that is not CONNECT. */
  UNSUPPORTED,
  /** From an address that may not come. */
  SOURCE_REFUSED,
  /** Without the right user and password. */
  UNAUTHENTICATED,
  /** To where no rule lets it go. */
  DESTINATION_REFUSED,
  /** Not done in time. */
  TIMED_OUT,
  /** The client went. */
  GONE,
  /** Too many at a time. */
  LIMIT;

  /** As in metrics. */
  String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** How often each happened. */
  static final class Counts {
    private final Map<HandshakeOutcome, LongAdder> counts = new EnumMap<>(HandshakeOutcome.class);

    Counts() {
      for (HandshakeOutcome outcome : values()) {
        counts.put(outcome, new LongAdder());
      }
    }

    void add(HandshakeOutcome outcome) {
      LongAdder count = counts.get(outcome);
      if (count != null) {
        count.increment();
      }
    }

    Map<String, Long> byCode() {
      Map<String, Long> sums = new TreeMap<>();
      counts.forEach((outcome, count) -> sums.put(outcome.code(), count.sum()));
      return sums;
    }
  }
}
