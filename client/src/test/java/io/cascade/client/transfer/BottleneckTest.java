package io.cascade.client.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.Connections;
import io.cascade.client.transfer.connection.ForwardingConnection;
import io.cascade.client.transfer.connection.RateLimit;
import io.cascade.client.transfer.connection.SlowWire;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.receiver.FileReceiver;
import io.cascade.client.transfer.receiver.Outcome;
import io.cascade.client.transfer.receiver.OutputTarget;
import io.cascade.client.transfer.receiver.ReceivingPort;
import io.cascade.client.transfer.receiver.StoringLoad;
import io.cascade.client.transfer.wire.HeaderFields;
import io.cascade.client.transfer.wire.Load;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is slow, as the ends of a transfer say. */
@Timeout(60)
class BottleneckTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path folder;

  private final List<String> told = new CopyOnWriteArrayList<>();
  private final TransferListener listener =
      new TransferListener() {
        @Override
        public void slowedBy(@Nullable Bottleneck what) {
          told.add(String.valueOf(what));
        }
      };

  @Test
  void aSlowSourceIsThisHostsDisk() throws Exception {
    try (ReceivingPort port = port()) {
      Sent sent = send(port, connected(port), new Trickle(20_000_000));

      assertThat(told).contains("DISK");
      assertThat(sent.slow()).isEqualTo(Bottleneck.DISK);
    }
  }

  @Test
  void aReceiverThatSaysThatItIsBusyIsTheFarEnd() throws Exception {
    try (ReceivingPort port = port();
        SlowWire slow = SlowWire.to(port.address(), 1_000_000)) {
      TcpConnection connection = TcpConnection.of(Connections.connect(slow.address(), PATIENCE));
      Sent sent = send(port, new Busy(connection), bytes(2_500_000));

      assertThat(told).first().isEqualTo("FAR_END");
      assertThat(sent.bytes()).isEqualTo(2_500_000);
    }
  }

  @Test
  void withoutEitherItIsThePath() throws Exception {
    try (ReceivingPort port = port();
        SlowWire slow = SlowWire.to(port.address(), 1_000_000)) {
      TcpConnection connection = TcpConnection.of(Connections.connect(slow.address(), PATIENCE));
      Sent sent = send(port, connection, bytes(2_500_000));

      assertThat(told).containsExactly("PATH");
      assertThat(sent.slow()).isEqualTo(Bottleneck.PATH);
    }
  }

  @Test
  void theUsersOwnLimitIsNoneOfThem() throws Exception {
    try (ReceivingPort port = port()) {
      new FileSender(connected(port), PATIENCE, listener, RateLimit.of(8_000_000))
          .send(new TransferHeader("file", 2_000_000), bytes(2_000_000), Original.NONE);

      assertThat(told).isEmpty();
    }
  }

  @Test
  void whatIsReadForTheDigestOnceAllHasArrivedIsToldAfterASecond() throws Exception {
    TransferHeader header = new TransferHeader("file", 1_000);
    BottleneckWatch watch =
        new BottleneckWatch(BlockReader.of(header, bytes(1_000), Original.NONE, false), listener);
    watch.started(header);
    watch.moved(400);
    long now = System.nanoTime();

    watch.movedOtherwise(400, now + 60_000_000_000L);
    watch.movedOtherwise(1_000, now - 1_000_000);
    assertThat(told).isEmpty();

    watch.movedOtherwise(1_000, now + 2_000_000_000L);
    watch.movedOtherwise(1_000, now + 3_000_000_000L);
    assertThat(told).containsExactly("DIGEST");
  }

  @Test
  void aReceiverTellsItsLoadOnceASecondAndItsDiskWhenThatIsBusy() {
    StoringLoad load = new StoringLoad(listener);
    long now = System.nanoTime();
    load.storing().begins();
    assertThat(Objects.requireNonNull(load.look(now + 2_000_000_000L)).permille())
        .isGreaterThan(900);
    assertThat(load.look(now + 2_500_000_000L)).isNull();
    assertThat(told).as("the digest").isEmpty();

    load.disk().begins();
    assertThat(load.look(now + 4_000_000_000L)).isEqualTo(new Load(1_000));
    load.disk().ends();
    load.storing().ends();
    assertThat(load.look(now + 6_000_000_000L)).isEqualTo(new Load(0));
    assertThat(told).containsExactly("DISK", "null");
  }

  @Test
  void aSenderOfAnEarlierVersionIsToldNoLoad() throws Exception {
    byte[] earlier = {4, 0, 8, 0, 0, 0, 0, 0, 0, 0, 7};
    assertThat(HeaderFields.decode(ByteBuffer.wrap(earlier)).hearsLoad()).isFalse();
    assertThat(HeaderFields.decode(ByteBuffer.wrap(HeaderFields.NONE.encode())).hearsLoad())
        .isTrue();
  }

  private Sent send(ReceivingPort port, ByteConnection connection, ReadableByteChannel content)
      throws Exception {
    Sent sent =
        new FileSender(connection, PATIENCE, listener)
            .send(new TransferHeader("file", TransferHeader.UNKNOWN_SIZE), content, Original.NONE);
    assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
    return sent;
  }

  private static TcpConnection connected(ReceivingPort port) throws IOException {
    return TcpConnection.of(Connections.connect(port.address(), PATIENCE));
  }

  private ReceivingPort port() throws IOException {
    return ReceivingPort.open(
        new InetSocketAddress("127.0.0.1", 0),
        Long.MAX_VALUE,
        new FileReceiver(
            new OutputTarget(folder, false, false), PATIENCE, TransferListener.SILENT));
  }

  private static ReadableByteChannel bytes(int number) {
    return Channels.newChannel(new ByteArrayInputStream(new byte[number]));
  }

  /** Yields a little now and then, until the listener has heard why it is slow. */
  private final class Trickle implements ReadableByteChannel {
    private final long nanos;

    Trickle(long nanos) {
      this.nanos = nanos;
    }

    @Override
    public int read(ByteBuffer into) {
      if (!told.isEmpty()) {
        return -1;
      }
      LockSupport.parkNanos(nanos);
      int most = Math.min(10_000, into.remaining());
      into.put(new byte[most]);
      return most;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  /** A connection whose receiver says at first that it is busy, whatever it is. */
  private static final class Busy extends ForwardingConnection {
    private final ByteBuffer first = new Load(900).encode();

    Busy(ByteConnection connection) {
      super(connection);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
      if (!first.hasRemaining()) {
        return super.read(into);
      }
      int before = into.remaining();
      while (into.hasRemaining() && first.hasRemaining()) {
        into.put(first.get());
      }
      return before - into.remaining();
    }
  }
}
