package io.cascade.relay.stream;

import io.cascade.carriage.transport.ConnectionError;
import java.time.Duration;

/** Reason for which a stream ended at this relay. */
public sealed interface CloseReason {
  /** A short stable name, for metrics and reports. */
  String code();

  /** Details for a person, beyond the code; empty if there are none. */
  default String detail() {
    return "";
  }

  /** Returns the reason for which a failed connection ends its stream. */
  static CloseReason of(Side side, Throwable failure) {
    String message = ConnectionError.words(failure);
    return switch (ConnectionError.of(failure)) {
      case KEY_USED_UP -> new TlsKeyUsedUp(side, message);
      case NOT_GENUINE -> new TlsBroken(side, message);
      case TIMED_OUT -> new PeerSilent(side, message);
      case REFUSED, HOST_UNREACHABLE, NETWORK_UNREACHABLE, BROKEN, OTHER ->
          new ConnectionLost(side, message);
    };
  }

  /** Both directions have ended. */
  record Completed() implements CloseReason {
    @Override
    public String code() {
      return "completed";
    }
  }

  /** A connection of the stream was reset or failed. */
  record ConnectionLost(Side side, String detail) implements CloseReason {
    @Override
    public String code() {
      return side == Side.INLET ? "inlet-reset" : "onward-reset";
    }
  }

  /** TLS failed on a connection: a record was altered, or the stream was truncated. */
  record TlsBroken(Side side, String detail) implements CloseReason {
    @Override
    public String code() {
      return side == Side.INLET ? "inlet-tls-failed" : "onward-tls-failed";
    }
  }

  /** A connection's TLS key has reached its usage limit and cannot be updated. */
  record TlsKeyUsedUp(Side side, String detail) implements CloseReason {
    @Override
    public String code() {
      return side == Side.INLET ? "inlet-tls-key-limit" : "onward-tls-key-limit";
    }
  }

  /** Sent data was not acknowledged, or keep-alive probes were not answered, for too long. */
  record PeerSilent(Side side, String detail) implements CloseReason {
    @Override
    public String code() {
      return side == Side.INLET ? "inlet-timeout" : "onward-timeout";
    }
  }

  /** The connection to the destination or the next relay failed. */
  record ConnectFailed(Kind kind, String detail) implements CloseReason {
    /**
     * Returns the reason for a failed attempt to connect.
     *
     * @param target the target, for messages
     */
    public static ConnectFailed of(Throwable failure, String target) {
      Kind kind =
          switch (ConnectionError.of(failure)) {
            case REFUSED -> Kind.REFUSED;
            case TIMED_OUT -> Kind.TIMED_OUT;
            case HOST_UNREACHABLE -> Kind.HOST_UNREACHABLE;
            case NETWORK_UNREACHABLE -> Kind.NETWORK_UNREACHABLE;
            case BROKEN, NOT_GENUINE, KEY_USED_UP, OTHER -> Kind.FAILED;
          };
      return new ConnectFailed(kind, target + ": " + ConnectionError.words(failure));
    }

    @Override
    public String code() {
      return kind.code;
    }

    /** Kinds of failure. */
    public enum Kind {
      REFUSED("connect-refused"),
      TIMED_OUT("connect-timeout"),
      UNRESOLVABLE("unresolvable"),
      HOST_UNREACHABLE("host-unreachable"),
      NETWORK_UNREACHABLE("network-unreachable"),
      /** This relay may not connect to the destination's address. */
      NOT_ALLOWED("not-allowed"),
      FAILED("connect-failed");

      private final String code;

      Kind(String code) {
        this.code = code;
      }
    }
  }

  /** The chain's last relay reported that it could not connect to the destination. */
  record DestinationFailed(ConnectFailed.Kind kind, String detail) implements CloseReason {
    @Override
    public String code() {
      return "destination-" + kind.code;
    }
  }

  /** The relay accepts no more streams. */
  record Shed(String detail) implements CloseReason {
    @Override
    public String code() {
      return "shed";
    }
  }

  /** The next relay closed the connection before it had confirmed the stream. */
  record NotConfirmed(String detail) implements CloseReason {
    @Override
    public String code() {
      return "next-relay-refused";
    }
  }

  /** No byte moved in either direction for too long. */
  record IdleTimeout(Duration limit) implements CloseReason {
    @Override
    public String code() {
      return "idle-timeout";
    }

    @Override
    public String detail() {
      return "no byte for " + limit.toSeconds() + " s";
    }
  }

  /** One direction had ended, and no byte moved in the other for too long. */
  record HalfCloseTimeout(Duration limit) implements CloseReason {
    @Override
    public String code() {
      return "half-close-timeout";
    }

    @Override
    public String detail() {
      return "one direction had ended, and no byte moved for " + limit.toSeconds() + " s";
    }
  }

  /** The chain was removed together with its streams, or the relay stopped. */
  record Aborted(String detail) implements CloseReason {
    @Override
    public String code() {
      return "aborted";
    }
  }

  /** Store-and-forward failed to store. */
  record StorageFailed(String detail) implements CloseReason {
    @Override
    public String code() {
      return "storage-failed";
    }
  }
}
