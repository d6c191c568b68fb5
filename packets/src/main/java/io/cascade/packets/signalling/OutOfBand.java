package io.cascade.packets.signalling;

import io.cascade.packets.connections.Connection;
import io.cascade.packets.connections.ConnectionId;
import io.cascade.packets.connections.ConnectionState;
import io.cascade.packets.connections.PeerSignals;
import io.cascade.packets.connections.PeerState;
import io.cascade.packets.connections.PeerState.Event;
import io.cascade.packets.header.IpAddress;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Signalling by messages beside the connections. Each end asks about a connection once both
 * directions have been seen, three times at most; an end that knows the connection accepts. Neither
 * splits before the other has accepted.
 *
 * <p>A message has 13 bytes: type, then address and port of the sender's near end and of its far
 * end.
 */
public final class OutOfBand {
  private static final int BYTES = 1 + 2 * (4 + 2);
  private static final int QUESTIONS = 3;
  private static final long BETWEEN_NANOS = 500_000_000L;

  /** Connections that wait for an answer. */
  private final Map<ConnectionId, Connection> asked = new LinkedHashMap<>();

  private enum Type implements WireCode {
    ASK(0),
    ACCEPT(1),
    REFUSE(2);

    private final int code;

    Type(int code) {
      this.code = code;
    }

    @Override
    public int code() {
      return code;
    }
  }

  /** Asks about a connection, if that is due. */
  public void consider(Connection connection, long nowNanos, Consumer<byte[]> send) {
    PeerSignals signals = connection.signals();
    boolean open =
        signals.peer() == PeerState.UNKNOWN
            || signals.peer() == PeerState.ASKED
            || signals.peer() == PeerState.OFFERED;
    if (open
        && signals.questions() == 0
        && connection.state() == ConnectionState.ACTIVE
        && connection.id().near().bits() == IpAddress.V4_BITS) {
      ask(connection, nowNanos, send);
      asked.put(connection.id(), connection);
    }
  }

  private static void ask(Connection connection, long nowNanos, Consumer<byte[]> send) {
    connection.signals().on(Event.ASK);
    connection.signals().asked(nowNanos);
    send.accept(message(Type.ASK, connection.id()));
  }

  /** Asks again, and stops asking about connections without an answer. */
  public void tick(long nowNanos, Consumer<byte[]> send) {
    for (Connection connection : List.copyOf(asked.values())) {
      PeerSignals signals = connection.signals();
      if (connection.state() == ConnectionState.CLOSED || signals.peer() == PeerState.PRESENT) {
        asked.remove(connection.id());
      } else if (nowNanos - signals.askedNanos() >= BETWEEN_NANOS) {
        if (signals.questions() < QUESTIONS) {
          ask(connection, nowNanos, send);
        } else {
          signals.on(Event.REFUSE);
          asked.remove(connection.id());
        }
      }
    }
  }

  /** Returns when {@link #tick} has something to do; {@link Long#MAX_VALUE} if it has not. */
  public long nextNanos() {
    long next = Long.MAX_VALUE;
    for (Connection connection : asked.values()) {
      next = Math.min(next, connection.signals().askedNanos() + BETWEEN_NANOS);
    }
    return next;
  }

  /**
   * Takes a message of the peer; an unknown one is ignored.
   *
   * @param records finds a connection
   */
  public void arrived(
      byte[] message, Function<ConnectionId, @Nullable Connection> records, Consumer<byte[]> send) {
    Type type = message.length == BYTES ? WireCode.find(Type.values(), message[0]) : null;
    if (type == null) {
      return;
    }
    ConnectionId id = id(message);
    Connection connection = records.apply(id);
    switch (type) {
      case ASK -> {
        if (connection == null || connection.signals().peer() == PeerState.ABSENT) {
          send.accept(message(Type.REFUSE, id));
        } else {
          connection.signals().on(Event.OFFER);
          send.accept(message(Type.ACCEPT, id));
        }
      }
      case ACCEPT -> {
        if (connection != null && connection.signals().questions() > 0) {
          connection.signals().on(Event.ACCEPT);
        }
      }
      case REFUSE -> {
        if (connection != null && connection.signals().questions() > 0) {
          connection.signals().on(Event.REFUSE);
          asked.remove(id);
        }
      }
    }
  }

  private static byte[] message(Type type, ConnectionId id) {
    return ByteBuffer.allocate(BYTES)
        .put((byte) type.code)
        .put(id.near().bytes())
        .putShort((short) id.nearPort())
        .put(id.far().bytes())
        .putShort((short) id.farPort())
        .array();
  }

  /** The sender's far end is this one's near end. */
  private static ConnectionId id(byte[] message) {
    ByteBuffer buffer = ByteBuffer.wrap(message, 1, BYTES - 1);
    byte[] address = new byte[4];
    buffer.get(address);
    IpAddress far = IpAddress.of(address);
    int farPort = buffer.getShort() & 0xffff;
    buffer.get(address);
    IpAddress near = IpAddress.of(address);
    return new ConnectionId(near, buffer.getShort() & 0xffff, far, farPort);
  }
}
