package io.cascade.simulation;

import io.cascade.coding.control.RateController;
import io.cascade.coding.datagram.Datagram;
import io.cascade.coding.datagram.DatagramSource;
import io.cascade.coding.datagram.Datagrams;
import io.cascade.coding.datagram.OrderedDatagrams;
import io.cascade.coding.redundancy.RedundancyPolicy;
import io.cascade.coding.session.CodedSession;
import io.cascade.coding.session.SessionSettings;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A coded session that carries numbered datagrams of several flows, sent at a steady rate: as they
 * are decoded, or all in order. Notes when each was sent and arrived.
 */
public final class DatagramEndpoint implements Endpoint {
  private static final int BUFFER = 1_000;

  private final CodedSession session;
  private final @Nullable Datagrams datagrams;
  private final @Nullable OrderedDatagrams ordered;
  private final Waiting queue = new Waiting(new ArrayDeque<>());
  private final List<Arrival> arrivals = new ArrayList<>();
  private final ByteBuffer out;
  private final int bytes;
  private final int flows;
  private final long intervalNanos;
  private final int count;
  private long pauseNanos;
  private long pausedNanos;
  private int made;
  private long nowNanos;

  /**
   * A datagram that arrived.
   *
   * @param number from 0 in the order of sending, over all flows
   */
  public record Arrival(int number, int flow, long sentNanos, long arrivedNanos) {
    public long delayNanos() {
      return arrivedNanos - sentNanos;
    }
  }

  /** Datagrams until the session takes them; one that is too many is dropped. */
  private record Waiting(ArrayDeque<Datagram> datagrams) implements DatagramSource {
    void offer(Datagram datagram) {
      if (datagrams.size() < BUFFER) {
        datagrams.add(datagram);
      }
    }

    @Override
    public boolean waits() {
      return !datagrams.isEmpty();
    }

    @Override
    public Datagram next(long nowNanos) {
      return datagrams.remove();
    }
  }

  /**
   * @param inOrder whether they go as a stream
   * @param bytes of a datagram, at least 16
   * @param count how many are sent, one every interval
   */
  public DatagramEndpoint(
      RateController controller,
      RedundancyPolicy policy,
      boolean inOrder,
      int bytes,
      int flows,
      int count,
      long intervalNanos) {
    int content = Datagrams.contentBytes(bytes);
    SessionSettings settings =
        new SessionSettings(1, 1, content, 1_024, SessionSettings.USUAL_SILENCE_NANOS, 1);
    this.datagrams = inOrder ? null : new Datagrams(content, queue, this::arrived);
    this.session = new CodedSession(settings, controller, policy, datagrams, 0);
    this.ordered = inOrder ? new OrderedDatagrams(session, BUFFER) : null;
    this.out = ByteBuffer.allocate(settings.datagramBytes());
    this.bytes = bytes;
    this.flows = flows;
    this.count = count;
    this.intervalNanos = intervalNanos;
  }

  /** What arrived here, in the order of arriving. */
  public List<Arrival> arrivals() {
    return arrivals;
  }

  public CodedSession session() {
    return session;
  }

  private void arrived(byte[] datagram) {
    ByteBuffer fields = ByteBuffer.wrap(datagram);
    arrivals.add(new Arrival(fields.getInt(), fields.getInt(), fields.getLong(), nowNanos));
  }

  @Override
  public void onPacket(Object content, long now) {
    nowNanos = now;
    if (datagrams != null) {
      datagrams.onTime(now);
    }
    session.onDatagram(ByteBuffer.wrap((byte[]) content), now);
    if (ordered != null) {
      ordered.read(now, this::arrived);
    }
  }

  /** Has the sender pause for so long after every second of sending. */
  public DatagramEndpoint pausing(long nanos) {
    pauseNanos = nanos;
    return this;
  }

  private long dueNanos() {
    return made * intervalNanos + pausedNanos;
  }

  private void make(long now) {
    for (; made < count && dueNanos() <= now; made++) {
      ByteBuffer datagram = ByteBuffer.allocate(bytes);
      datagram.putInt(made).putInt(made % flows).putLong(dueNanos());
      if ((made + 1) * intervalNanos % 1_000_000_000 < intervalNanos) {
        pausedNanos += pauseNanos;
      }
      if (ordered != null) {
        ordered.offer(datagram.array());
      } else {
        queue.offer(new Datagram(made % flows, datagram.array()));
      }
    }
  }

  @Override
  public @Nullable Packet poll(long now) {
    nowNanos = now;
    if (datagrams != null) {
      datagrams.onTime(now);
    }
    make(now);
    if (ordered != null) {
      ordered.write();
    }
    out.clear();
    int length = session.poll(now, out);
    if (length == 0) {
      return null;
    }
    byte[] datagram = new byte[length];
    out.flip().get(datagram);
    return new Packet(datagram, length + CodedEndpoint.OVERHEAD_BYTES);
  }

  @Override
  public long nextNanos() {
    long next = made < count ? dueNanos() : NEVER;
    if (datagrams != null) {
      next = Math.min(next, datagrams.nextNanos());
    }
    return Math.min(next, session.nextNanos());
  }
}
