package io.cascade.relay.hop;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Reasons for which a connection to the hop port is closed without sending a byte. */
public enum HopRefusal {
  /** The bytes are no hop header, or the header is too long. */
  MALFORMED,
  /** The chain is not installed here, and was not installed in time. */
  UNKNOWN_CHAIN,
  /** No throughput test of that name is expected here. */
  UNKNOWN_TEST,
  /**
   * The authenticator was not made with the key, or the header is for another relay of the chain.
   */
  WRONG_KEY,
  /** The chain's hops are encrypted and this connection is not, or vice versa. */
  WRONG_SECURITY,
  /** The certificate is not the one that the previous relay registered. */
  WRONG_CERTIFICATE,
  /** The TLS handshake failed. */
  TLS_FAILED,
  /** The header was received before. */
  REPLAYED,
  /** No complete header in time. */
  TIMED_OUT,
  /** The peer closed the connection before its header was complete. */
  GONE,
  /** Too many connections wait. */
  LIMIT;

  /** The reason's name in metrics. */
  public String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Counters by reason. */
  public static final class Counts {
    private final Map<HopRefusal, LongAdder> counts = new EnumMap<>(HopRefusal.class);

    public Counts() {
      for (HopRefusal reason : values()) {
        counts.put(reason, new LongAdder());
      }
    }

    public long of(HopRefusal reason) {
      LongAdder count = counts.get(reason);
      return count == null ? 0 : count.sum();
    }

    void add(HopRefusal reason) {
      LongAdder count = counts.get(reason);
      if (count != null) {
        count.increment();
      }
    }
  }
}
