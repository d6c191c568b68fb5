package io.cascade.relay.throughput;

import io.cascade.api.relay.PacketTrainEnd;
import io.cascade.api.relay.PacketTrainReport;
import io.cascade.relay.probe.TrainCodec;
import io.cascade.relay.probe.TrainPacket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * The sending end of a train. {@link #run} sends on the calling thread, packet by packet at an even
 * pace; {@link #take} receives the answers on the receiving thread.
 */
final class TrainSource {
  /** Time between the last packets. */
  private static final Duration BETWEEN_CLOSING = Duration.ofMillis(20);

  /** Bounds of the wait for answers: least, most, and in round trips. */
  private static final Duration LEAST_WAIT = Duration.ofMillis(500);

  private static final Duration MOST_WAIT = Duration.ofSeconds(3);
  private static final int WAIT_RTTS = 4;

  private static final Duration LOOK = Duration.ofMillis(20);

  private final Order order;
  private final TrainCodec sending;
  private final TrainCodec receiving;
  private final TrainAccount account;
  private final StreamActivity streams;
  private final LongSupplier nanoClock;
  private volatile boolean isStopped;

  /**
   * A train to send.
   *
   * @param spacing from one packet to the next
   */
  record Order(String peer, InetSocketAddress to, int packets, int packetBytes, Duration spacing) {}

  /**
   * @param sending codec of the thread that calls {@link #run}
   * @param receiving codec of the receiving thread
   */
  TrainSource(
      Order order,
      TrainCodec sending,
      TrainCodec receiving,
      StreamActivity streams,
      LongSupplier nanoClock) {
    this.order = order;
    this.sending = sending;
    this.receiving = receiving;
    this.account = new TrainAccount(order.packets(), order.packetBytes());
    this.streams = streams;
    this.nanoClock = nanoClock;
  }

  /**
   * Sends the train and waits for its answers.
   *
   * @throws TestFailed if none arrived, or the relay stops
   */
  PacketTrainReport run(TrainDatagrams datagrams) throws TestFailed {
    PacketTrainEnd end = send(datagrams);
    await();
    if (isStopped) {
      throw new TestFailed("this relay stopped during the train");
    }
    if (account.answers() == 0) {
      throw new TestFailed(
          order.peer()
              + " answered none of "
              + account.sent()
              + " packets to "
              + order.to().getAddress().getHostAddress()
              + ":"
              + order.to().getPort()
              + " (fix: open that UDP port between the relays)");
    }
    return account.report(end);
  }

  private PacketTrainEnd send(TrainDatagrams datagrams) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(order.packetBytes());
    long due = nanoClock.getAsLong();
    long lookedNanos = due;
    for (int number = 0; number < order.packets(); number++) {
      long now = sleepUntil(due);
      if (isStopped) {
        return PacketTrainEnd.PACKETS;
      }
      if (number > 1 && now - lookedNanos >= LOOK.toNanos()) {
        lookedNanos = now;
        if (streams.movesBulk()) {
          return PacketTrainEnd.STREAM;
        }
      }
      long departure = nanoClock.getAsLong();
      long timestamp = TrainCodec.timestamp(departure);
      sending.write(new TrainPacket.Test(number, timestamp), buffer.clear(), order.packetBytes());
      // Recorded before the send: the answer may arrive before the next line.
      account.sent(departure, timestamp);
      datagrams.send(buffer.flip(), order.to());
      boolean closes = number + 1 >= order.packets() - TrainAccount.CLOSING;
      // A thread that woke late catches up packet by packet, but not with a burst of all that it
      // missed.
      due = Math.max(due + order.spacing().toNanos(), now - LOOK.toNanos());
      if (closes) {
        due = Math.max(due, now + BETWEEN_CLOSING.toNanos());
      }
    }
    return PacketTrainEnd.PACKETS;
  }

  private void await() {
    long wait =
        Math.clamp(WAIT_RTTS * account.minRttNanos(), LEAST_WAIT.toNanos(), MOST_WAIT.toNanos());
    if (account.answers() == 0) {
      wait = MOST_WAIT.toNanos();
    }
    long end = nanoClock.getAsLong() + wait;
    while (!isStopped && !account.isComplete() && nanoClock.getAsLong() - end < 0) {
      sleepUntil(nanoClock.getAsLong() + Duration.ofMillis(5).toNanos());
    }
  }

  private long sleepUntil(long due) {
    long now = nanoClock.getAsLong();
    while (now - due < 0 && !isStopped) {
      LockSupport.parkNanos(due - now);
      now = nanoClock.getAsLong();
      if (Thread.currentThread().isInterrupted()) {
        stop();
      }
    }
    return now;
  }

  /**
   * Inspects a datagram.
   *
   * @return whether it belonged to the train
   */
  boolean take(ByteBuffer datagram) {
    long now = nanoClock.getAsLong();
    if (receiving.read(datagram) instanceof TrainPacket.Reflected answer) {
      boolean _ = account.answered(answer, now);
      return true;
    }
    return false;
  }

  void stop() {
    isStopped = true;
  }

  /** Bytes sent and received. */
  long movedBytes() {
    return (long) (account.sent() + account.answers()) * order.packetBytes();
  }
}
