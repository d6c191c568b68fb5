package io.cascade.studies.coded;

import io.cascade.carriage.coded.SessionDriver;
import io.cascade.carriage.transport.UdpSocket;
import io.cascade.coding.control.DelayCompete;
import io.cascade.coding.redundancy.SlidingDeficit;
import io.cascade.coding.session.CodedSession;
import io.cascade.coding.session.ReceivingState;
import io.cascade.coding.session.SessionAccount;
import io.cascade.coding.session.SessionSettings;
import io.cascade.coding.session.SessionState;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * One end of a coded session that carries bulk in one direction: it either sends until it is
 * stopped, or verifies and counts.
 */
final class BulkEnd implements SessionDriver.Application {
  /** Window of a relay's sessions. */
  private static final int WINDOW_SYMBOLS = 4_096;

  private static final int READ_BYTES = 1 << 16;
  private static final long ENOUGH = 1;

  private final EventLoop loop;
  private final boolean sends;
  private final DelayCompete controller = new DelayCompete();
  private final SessionDriver driver;
  private final BulkBytes pattern = new BulkBytes();
  private final ByteBuffer chunk = ByteBuffer.allocate(READ_BYTES);
  private long offered;
  private long received;
  private boolean wrong;

  /**
   * @param socket connected to the other end
   * @param sends whether this is the source
   */
  BulkEnd(EventLoop loop, UdpSocket socket, boolean sends, long seed) {
    this.loop = loop;
    this.sends = sends;
    int id = (int) seed;
    SessionSettings settings =
        new SessionSettings(
            id,
            id,
            SessionSettings.USUAL_CONTENT_BYTES,
            WINDOW_SYMBOLS,
            SessionSettings.USUAL_SILENCE_NANOS,
            seed);
    CodedSession session =
        new CodedSession(settings, controller, new SlidingDeficit(), System.nanoTime());
    this.driver = new SessionDriver(loop, socket, session, settings, this);
  }

  /**
   * Starts the session.
   *
   * @param loss share of received datagrams that is dropped
   */
  void start(double loss) {
    loop.execute(() -> driver.start(new Dropping(driver, loss)));
  }

  /** Drops datagrams at random, after the kernel has received them. */
  private record Dropping(UdpSocket.Events next, double loss, SplittableRandom random)
      implements UdpSocket.Events {
    Dropping(UdpSocket.Events next, double loss) {
      this(next, loss, new SplittableRandom(1));
    }

    @Override
    public void datagram(ByteBuffer datagram, long receivedNanos) {
      if (random.nextDouble() >= loss) {
        next.datagram(datagram, receivedNanos);
      }
    }

    @Override
    public void readable() {
      next.readable();
    }

    @Override
    public void writable() {
      next.writable();
    }
  }

  @Override
  public void ready(SessionDriver at) {
    while (sends && driver.session().hasRoom()) {
      offered += driver.offer(pattern.from(offered));
    }
    while (driver.session().receiving() != ReceivingState.ENDED) {
      chunk.clear();
      if (driver.read(chunk) == 0) {
        break;
      }
      chunk.flip();
      int length = chunk.remaining();
      wrong |= !pattern.matches(chunk, received);
      received += length;
    }
  }

  @Override
  public void closed(SessionDriver at) {
    // The next report has this.
  }

  Future<PeerReport> report() {
    return loop.submit(this::now);
  }

  /** Closes the session and notifies the other end. */
  void stop() {
    loop.execute(() -> driver.reset(ENOUGH));
  }

  private PeerReport now() {
    SessionAccount account = driver.account();
    return new PeerReport(
        System.nanoTime(),
        received,
        wrong,
        processorNanos(),
        controller.mode(),
        controller.windowPackets(),
        account.lossRate(),
        controller.baseLoss(),
        controller.capacity(),
        account.roundTripNanos(),
        account.sourcesSent(),
        account.repairsSent() + account.repeatsSent(),
        account.uselessRepairs(),
        account.forgottenRepairs(),
        account.falselyLost(),
        account.malformed(),
        driver.refused(),
        driver.session().state() == SessionState.ESTABLISHED
            ? ""
            : driver.session().reason().name());
  }

  static long processorNanos() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : 0;
  }
}
