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
 * The sending end of a train. {@link #run} sends on the thread that calls it, packet by packet at
 * an even pace; {@link #take} gets the answers on the thread that receives.
 */
final class TrainSource {
  /** Time between the last packets. */
  private static final Duration BETWEEN_CLOSING = Duration.ofMillis(20);

  /** Time that answers may take: at the least, at most, and in round trips. */
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
   * Train to be sent.
   *
   * @param spacing from one packet to the next
   */
  record Order(String peer, InetSocketAddress to, int packets, int packetBytes, Duration spacing) {}

  /**
   * @param sending of the thread that runs
   * @param receiving of the thread that receives
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
   * @throws TestFailed where none came, or the relay stops
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
      // Noted before: the answer may be here before the next line.
      account.sent(departure, timestamp);
      datagrams.send(buffer.flip(), order.to());
      boolean closes = number + 1 >= order.packets() - TrainAccount.CLOSING;
      // A thread that woke up late catches up, by packets and not by a burst of what it missed.
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
   * Looks at a datagram.
   *
   * @return whether it was one of the train's
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

  /** Sent and received. */
  long movedBytes() {
    return (long) (account.sent() + account.answers()) * order.packetBytes();
  }
}
