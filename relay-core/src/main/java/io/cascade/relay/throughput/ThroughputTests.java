package io.cascade.relay.throughput;

import io.cascade.api.relay.PacketTrain;
import io.cascade.api.relay.PacketTrainEnd;
import io.cascade.api.relay.PacketTrainReflection;
import io.cascade.api.relay.PacketTrainReport;
import io.cascade.api.relay.ThroughputEnd;
import io.cascade.api.relay.ThroughputReport;
import io.cascade.api.relay.ThroughputSink;
import io.cascade.api.relay.ThroughputTest;
import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.transport.CongestionControls;
import io.cascade.carriage.transport.SocketTuning;
import io.cascade.relay.destination.AddressRule;
import io.cascade.relay.hop.HopKey;
import io.cascade.relay.hop.TestArrivals;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The throughput tests of one relay, as sender and as receiver. */
public final class ThroughputTests implements ThroughputTesting, TestArrivals {
  /** The contract's minimum, checked here since the document's reader does not check times. */
  private static final double LEAST_SECONDS = 0.1;

  private static final double MOST_SECONDS = 30;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

  private final Sockets sockets;
  private final OtherRelays others;
  private final CongestionControls controls;
  private final StreamActivity streams;
  private final TestBudget budget;
  private final Admission admission;
  private final LongSupplier nanoClock;
  private final TestCounts counts = new TestCounts();
  private final PacketTrains trains;
  private final LongAdder sentBytes = new LongAdder();
  private final LongAdder receivedBytes = new LongAdder();
  private volatile @Nullable TestSource source;
  private volatile @Nullable TestSink sink;

  /**
   * @param hops allowed addresses of hops, and so of tests
   * @param hourBytes that tests may move in any hour; 0 for no tests
   * @param draining whether the relay accepts no new work
   */
  public ThroughputTests(
      Sockets sockets,
      AddressRule hops,
      StreamActivity streams,
      long hourBytes,
      BooleanSupplier draining,
      LongSupplier nanoClock,
      CongestionControls controls) {
    this.sockets = sockets;
    this.others = new OtherRelays(hops);
    this.controls = controls;
    this.streams = streams;
    this.budget = new TestBudget(hourBytes, nanoClock);
    this.admission = new Admission(budget, streams, draining);
    this.nanoClock = nanoClock;
    this.trains = new PacketTrains(sockets.loops(), others, admission, streams, counts, nanoClock);
  }

  /** The tests that use the relay's UDP port. */
  public PacketTrains trains() {
    return trains;
  }

  @Override
  public ThroughputReport run(ThroughputTest test)
      throws TestRefused, TestFailed, UnknownHostException {
    try {
      ThroughputReport report = admitted(test);
      counts.ended(report.endedBy());
      return report;
    } catch (TestRefused e) {
      counts.refused(e.reason());
      throw e;
    } catch (TestFailed | UnknownHostException e) {
      counts.failed();
      throw e;
    }
  }

  private ThroughputReport admitted(ThroughputTest test)
      throws TestRefused, TestFailed, UnknownHostException {
    HopKey key = key(test.key());
    Duration time = time(test.maxSeconds());
    SocketTuning tuning = tuning(test.congestionControl());
    InetSocketAddress to = others.find(test.to());
    Admission.Place place = admission.admit(test.testId(), test.maxBytes());
    TestSource running =
        new TestSource(
            new TestSource.Order(test.testId(), key, test.peer(), test.maxBytes(), time),
            streams,
            nanoClock);
    source = running;
    try {
      connect(running, to, tuning);
      return awaited(running, time);
    } finally {
      source = null;
      sentBytes.add(running.writtenBytes());
      place.leave(running.writtenBytes());
    }
  }

  private void connect(TestSource running, InetSocketAddress to, SocketTuning tuning) {
    EventLoop loop = sockets.loops().next();
    loop.execute(() ->
        sockets
            .connect(loop, to, tuning, CONNECT_TIMEOUT, true, running)
            .addListener(connected -> {
              if (!connected.isSuccess()) {
                running.notConnected(connected.cause());
              }
            }));
  }

  private static ThroughputReport awaited(TestSource running, Duration time)
      throws TestRefused, TestFailed {
    // Accepting and confirming may each take that long.
    Duration most = time.plus(CONNECT_TIMEOUT).plus(TestSource.PATIENCE.multipliedBy(2));
    try {
      return running.result().get(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case TestRefused refused -> throw refused;
        case TestFailed failed -> throw failed;
        case null, default -> throw new IllegalStateException(e);
      }
    } catch (TimeoutException e) {
      running.stop("the test took longer than " + most.toMillis() + " ms");
      throw new TestFailed("stalled: not over within " + most.toMillis() + " ms");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      running.stop("interrupted");
      throw new TestFailed("this relay stopped during the test");
    }
  }

  @Override
  public void expect(UUID test, ThroughputSink wanted) throws TestRefused {
    Admission.Place place;
    TestSink expected;
    try {
      TestSink.Order order =
          new TestSink.Order(test, key(wanted.key()), wanted.maxBytes(), time(wanted.maxSeconds()));
      place = admission.admit(test, wanted.maxBytes());
      expected = new TestSink(order, streams, nanoClock, over -> ended(over, place));
    } catch (TestRefused e) {
      counts.refused(e.reason());
      throw e;
    }
    sink = expected;
    var _ =
        sockets
            .loops()
            .next()
            .schedule(expected::expire, TestSink.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void ended(TestSink over, Admission.Place place) {
    if (sink == over) {
      sink = null;
    }
    receivedBytes.add(over.receivedBytes());
    counts.ended(over.state());
    place.leave(over.receivedBytes());
  }

  @Override
  public PacketTrainReport runTrain(PacketTrain train)
      throws TestRefused, TestFailed, UnknownHostException {
    try {
      PacketTrainReport report = trains.run(train);
      boolean gaveWay = report.endedBy() == PacketTrainEnd.STREAM;
      counts.ended(gaveWay ? ThroughputEnd.STREAM : ThroughputEnd.BYTES);
      return report;
    } catch (TestRefused e) {
      counts.refused(e.reason());
      throw e;
    } catch (TestFailed | UnknownHostException e) {
      counts.failed();
      throw e;
    }
  }

  @Override
  public void expectTrain(UUID test, PacketTrainReflection train) throws TestRefused {
    try {
      trains.expect(test, train);
    } catch (TestRefused e) {
      counts.refused(e.reason());
      throw e;
    }
  }

  @Override
  public @Nullable HopKey key(UUID test) {
    TestSink expected = sink;
    return expected == null || !expected.test().equals(test) ? null : expected.key();
  }

  @Override
  public boolean claim(UUID test) {
    TestSink expected = sink;
    return expected != null && expected.test().equals(test) && expected.take();
  }

  @Override
  public void arrived(Channel connection, UUID test, ByteBuf early) {
    TestSink claimed = sink; // only its own end clears this field
    if (claimed == null || !claimed.test().equals(test)) {
      throw new IllegalStateException("a test that was not claimed");
    }
    claimed.begin(connection, early);
  }

  /** Ends running tests, with resets. */
  public void stop() {
    TestSource sending = source;
    if (sending != null) {
      sending.stop("this relay stopped during the test");
    }
    TestSink receiving = sink;
    if (receiving != null) {
      receiving.stop();
    }
    trains.stop();
  }

  /** Most bytes that tests may move in an hour. */
  public long hourBytes() {
    return budget.hourBytes();
  }

  /** Bytes of the hour's budget that are left. */
  public long leftBytes() {
    return budget.leftBytes();
  }

  /** Bytes sent and received by tests and trains since the relay started. */
  public long movedBytes() {
    return sentBytes.sum() + receivedBytes.sum() + trains.movedBytes();
  }

  /** Numbers of tests since the relay started, by outcome or by the reason of their refusal. */
  public Map<String, Long> outcomes() {
    return counts.byOutcome();
  }

  private static HopKey key(String base64) throws TestRefused {
    try {
      return HopKey.parse(base64);
    } catch (IllegalArgumentException e) {
      throw new TestRefused(TestRefused.Reason.INVALID, String.valueOf(e.getMessage()));
    }
  }

  private static Duration time(double seconds) throws TestRefused {
    if (seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS) {
      return Duration.ofNanos(Math.round(seconds * 1e9));
    }
    throw new TestRefused(
        TestRefused.Reason.INVALID,
        "maxSeconds: " + seconds + " (expected: " + LEAST_SECONDS + " to " + MOST_SECONDS + ")");
  }

  private SocketTuning tuning(@Nullable String congestionControl) throws TestRefused {
    if (!sockets.transport().isNative()) {
      throw new TestRefused(
          TestRefused.Reason.UNSUPPORTED,
          "the "
              + sockets.transport()
              + " transport does not report what TCP delivered (fix: --transport epoll)");
    }
    String refusal = congestionControl == null ? null : controls.refusal(congestionControl);
    if (refusal != null) {
      throw new TestRefused(TestRefused.Reason.UNSUPPORTED, refusal);
    }
    SocketTuning plain = SocketTuning.defaults();
    return new SocketTuning(controls.given(congestionControl), true, plain.keepAliveIdle(), null);
  }
}
