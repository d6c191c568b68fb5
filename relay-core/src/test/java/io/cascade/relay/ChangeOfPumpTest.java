package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.relay.DirectionReport;
import io.cascade.api.relay.StreamReport;
import io.cascade.carriage.LeakWatch;
import io.cascade.carriage.transport.Connection;
import io.cascade.carriage.transport.EpollRegistration;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.pump.PumpMode;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.EventExecutor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A relay that chooses itself splices bulk while its event loops are busy, and copies it again once
 * they have time to spare. Whatever comes meanwhile arrives as it would otherwise.
 *
 * <p>When a loop counts as busy or not is measured, so that a direction may do otherwise than it
 * should here: it is tried until it was as the test's name says. What arrives is to be right each
 * time.
 */
@Timeout(60)
class ChangeOfPumpTest {
  private static final byte[] PIECE = random(1_000_000, 1);

  /** Little enough for the buffers between, so that nobody has to read for it to be sent. */
  private static final byte[] LAST = random(150_000, 2);

  private static final int URGENT_AT = 70_000;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** Whose bytes are spliced. */
  enum Sender {
    CLIENT("inlet-reset"),
    SERVER("onward-reset");

    private final String reasonOfReset;

    Sender(String reasonOfReset) {
      this.reasonOfReset = reasonOfReset;
    }
  }

  /** The state of a stream's direction when something happens to it. */
  enum ScriptStep {
    /** Its bytes are spliced, and what comes is seen by who splices. */
    SPLICED,
    /** They were, and it is seen now, with what comes, that copying is better. */
    GOING_BACK
  }

  @BeforeAll
  static void check() {
    SpliceNeeded.check();
    LeakWatch.start();
  }

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @AfterAll
  static void nothingIsLeft() {
    LeakWatch.assertNothingLeaks();
  }

  @ParameterizedTest
  @CsvSource({"CLIENT, SPLICED", "SERVER, SPLICED", "CLIENT, GOING_BACK", "SERVER, GOING_BACK"})
  void anEndComesBehindTheLastByteAndTheOtherDirectionGoesOn(Sender sender, ScriptStep moment)
      throws Exception {
    tryUntilSeen(
        sender,
        bulk -> {
          bulk.at(
              moment,
              () -> {
                bulk.from.getOutputStream().write(LAST);
                bulk.from.shutdownOutput();
              });
          assertSame(bulk.to.getInputStream().readAllBytes(), LAST);
          Future<byte[]> answer = threads.submit(() -> bulk.from.getInputStream().readAllBytes());
          bulk.to.getOutputStream().write(PIECE);
          bulk.to.shutdownOutput();
          assertSame(answer.get(), PIECE);
          assertThat(bulk.ended().reason()).isEqualTo("completed");
          return bulk.splicedSince() == (moment == ScriptStep.SPLICED ? LAST.length : 0);
        });
  }

  @ParameterizedTest
  @CsvSource({"CLIENT, SPLICED", "SERVER, SPLICED", "CLIENT, GOING_BACK", "SERVER, GOING_BACK"})
  void anUrgentByteKeepsItsPlace(Sender sender, ScriptStep moment) throws Exception {
    tryUntilSeen(
        sender,
        bulk -> {
          bulk.at(
              moment,
              () -> {
                bulk.from.getOutputStream().write(LAST, 0, URGENT_AT);
                bulk.from.sendUrgentData(LAST[URGENT_AT]);
                bulk.from.getOutputStream().write(LAST, URGENT_AT + 1, LAST.length - URGENT_AT - 1);
              });
          assertSame(bulk.to.getInputStream().readNBytes(LAST.length), LAST);
          bulk.from.shutdownOutput();
          assertThat(bulk.to.getInputStream().read()).isEqualTo(-1);
          bulk.to.shutdownOutput();
          assertThat(bulk.from.getInputStream().read()).isEqualTo(-1);
          assertThat(bulk.ended().reason()).isEqualTo("completed");
          long spliced = bulk.splicedSince();
          return moment == ScriptStep.SPLICED
              ? spliced >= URGENT_AT && spliced < LAST.length
              : spliced == 0;
        });
  }

  @ParameterizedTest
  @CsvSource({"CLIENT, SPLICED", "SERVER, SPLICED", "CLIENT, GOING_BACK", "SERVER, GOING_BACK"})
  void aResetComesBehindWhatTheRelayHasReadAndIsNoEnd(Sender sender, ScriptStep moment)
      throws Exception {
    tryUntilSeen(
        sender,
        bulk -> {
          bulk.at(
              moment,
              () -> {
                bulk.from.getOutputStream().write(LAST);
                if (moment == ScriptStep.SPLICED) {
                  bulk.awaitRead(LAST.length);
                }
                reset(bulk.from);
              });
          byte[] came = untilReset(bulk.to);
          assertSame(came, Arrays.copyOf(LAST, came.length));
          assertThat(bulk.ended().reason()).isEqualTo(sender.reasonOfReset);
          assertThat((long) came.length).isEqualTo(bulk.readSince());
          long copied = came.length - bulk.splicedSince();
          return moment == ScriptStep.SPLICED ? copied == 0 : copied == came.length && copied > 0;
        });
  }

  /** What is in the pipe still goes out, and the source is Netty's again before it is empty. */
  @ParameterizedTest
  @EnumSource(ScriptStep.class)
  void aResetWhileThePipeHoldsBytesComesBehindThem(ScriptStep moment) throws Exception {
    tryUntilSeen(
        Sender.CLIENT,
        bulk -> {
          bulk.to.setReceiveBufferSize(65_536);
          Future<?> writing =
              threads.submit(() -> {
                while (true) {
                  bulk.from.getOutputStream().write(PIECE); // until it is reset
                }
              });
          bulk.awaitStandstill();
          long held = bulk.report().heldBytes();
          boolean isInThePipe = held > 0 && bulk.readSince() == bulk.splicedSince() + held;
          bulk.at(moment, () -> reset(bulk.from));
          byte[] came = untilReset(bulk.to);
          assertRepeats(came);
          assertThat(writing).failsWithin(TestChain.PATIENCE);
          assertThat(bulk.ended().reason()).isEqualTo("inlet-reset");
          assertThat((long) came.length).isEqualTo(bulk.readSince());
          return isInThePipe && bulk.splicedSince() < came.length;
        });
  }

  /** What is tried with a stream whose bytes are spliced; answers whether it was as it should. */
  private interface Trial {
    boolean with(Bulk bulk) throws Exception;
  }

  private interface Happening {
    void happen() throws Exception;
  }

  private void tryUntilSeen(Sender sender, Trial trial) throws Exception {
    boolean seen;
    do {
      try (Bulk bulk = new Bulk(sender)) {
        bulk.goesOnUntilSpliced();
        seen = trial.with(bulk);
      }
    } while (!seen);
  }

  /** A stream through one relay, whose event loops are busy until they are told otherwise. */
  private final class Bulk implements AutoCloseable {
    final Socket from;
    final Socket to;
    private final boolean forward;
    private final ServerSocket destination;
    private final TestChain chain;
    private final BusyEventLoops occupation;
    private long sent;
    private long splicedBefore;

    Bulk(Sender sender) throws Exception {
      destination = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"));
      chain =
          TestChain.open(
              1,
              Transport.EPOLL,
              PumpMode.AUTO,
              new InetSocketAddress("127.0.0.1", destination.getLocalPort()),
              TestChain.defaults());
      occupation = new BusyEventLoops(chain.relays.getFirst().loops);
      Socket client = chain.connect();
      Socket server = destination.accept();
      server.setSoTimeout((int) TestChain.PATIENCE.toMillis());
      forward = sender == Sender.CLIENT;
      from = forward ? client : server;
      to = forward ? server : client;
    }

    /** Every byte of the last piece has been spliced. */
    void goesOnUntilSpliced() throws Exception {
      do {
        splicedBefore = spliced();
        Future<byte[]> arrives = threads.submit(() -> to.getInputStream().readNBytes(PIECE.length));
        from.getOutputStream().write(PIECE);
        sent += PIECE.length;
        assertSame(arrives.get(), PIECE);
        awaitState(_ -> report().bytesOut() == sent);
      } while (spliced() - splicedBefore < PIECE.length);
      splicedBefore = spliced();
    }

    /** What happens is seen by the relay at this moment, all of it in one round. */
    void at(ScriptStep moment, Happening happening) throws Exception {
      if (moment == ScriptStep.SPLICED) {
        happening.happen();
        return;
      }
      occupation.close();
      awaitTimeToSpare();
      CountDownLatch over = new CountDownLatch(1);
      try {
        for (EventExecutor loop : chain.relays.getFirst().loops) {
          CountDownLatch held = new CountDownLatch(1);
          loop.execute(() -> {
            held.countDown();
            hold(over);
          });
          held.await();
        }
        happening.happen();
      } finally {
        over.countDown();
      }
    }

    /** Each loop says so itself, by a connection of the test's own. */
    private void awaitTimeToSpare() throws Exception {
      List<Channel> connections = new ArrayList<>();
      try (ServerSocket nobody = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"))) {
        for (EventExecutor loop : chain.relays.getFirst().loops) {
          Channel connection = Transport.EPOLL.newSocket(nobody.getLocalSocketAddress());
          connection.config().setAutoRead(false);
          ((EventLoop) loop).register(connection).sync();
          connections.add(connection);
          connection.connect(nobody.getLocalSocketAddress()).sync();
        }
        await()
            .atMost(TestChain.PATIENCE)
            .until(() -> {
              for (Channel connection : connections) {
                EpollRegistration registration =
                    Objects.requireNonNull(Connection.of(connection).spliceable());
                if (!connection.eventLoop().submit(registration::isLoopLight).get()) {
                  return false;
                }
              }
              return true;
            });
        for (Channel connection : connections) {
          connection.close().sync();
        }
      }
    }

    DirectionReport report() {
      return direction(chain.streams(0).getFirst());
    }

    private DirectionReport direction(StreamReport report) {
      return forward ? report.forward() : report.backward();
    }

    long spliced() {
      return Objects.requireNonNull(report().splicedBytes());
    }

    /** Bytes that were spliced since the pieces. */
    long splicedSince() {
      return spliced() - splicedBefore;
    }

    /** What the relay has read since the pieces. */
    long readSince() {
      return report().bytesIn() - sent;
    }

    void awaitRead(long bytes) {
      awaitState(_ -> readSince() == bytes);
    }

    void awaitState(Predicate<StreamReport> wanted) {
      await().atMost(TestChain.PATIENCE).until(() -> chain.streams(0).getFirst(), wanted);
    }

    void awaitStandstill() {
      long[] last = {-1};
      await()
          .atMost(TestChain.PATIENCE)
          .pollInterval(Duration.ofMillis(200))
          .until(() -> {
            long now = report().bytesIn();
            boolean still = now == last[0] && now > sent;
            last[0] = now;
            return still;
          });
    }

    StreamReport ended() {
      awaitState(report -> report.reason() != null);
      return chain.streams(0).getFirst();
    }

    @Override
    public void close() throws Exception {
      occupation.close();
      from.close();
      to.close();
      destination.close();
      chain.close();
    }
  }

  private static void hold(CountDownLatch over) {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void reset(Socket socket) throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  /** What comes before a reset; an end instead of it fails. */
  private static byte[] untilReset(Socket socket) throws IOException {
    ByteArrayOutputStream came = new ByteArrayOutputStream();
    InputStream in = socket.getInputStream();
    byte[] buffer = new byte[65_536];
    try {
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        came.write(buffer, 0, length);
      }
    } catch (SocketException e) {
      assertThat(e).hasMessageContaining("reset");
      return came.toByteArray();
    }
    throw new AssertionError("an end after " + came.size() + " bytes (expected: a reset)");
  }

  private static void assertRepeats(byte[] came) {
    for (int at = 0; at < came.length; at += PIECE.length) {
      byte[] next = Arrays.copyOfRange(came, at, Math.min(at + PIECE.length, came.length));
      assertSame(next, Arrays.copyOf(PIECE, next.length));
    }
  }

  /** Compares bytes without printing them. */
  private static void assertSame(byte[] came, byte[] expected) {
    assertThat(came.length).isEqualTo(expected.length);
    assertThat(Arrays.mismatch(came, expected)).as("the first wrong byte").isEqualTo(-1);
  }

  private static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
