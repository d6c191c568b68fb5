package io.cascade.client.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What strangers who connect to a receiver cost it, and those who come after them. */
@Timeout(60)
class StrangersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long MIB = 1 << 20;

  @TempDir Path folder = Path.of("");
  private final List<Socket> strangers = new ArrayList<>();

  @AfterEach
  void leave() throws IOException {
    for (Socket stranger : strangers) {
      stranger.close();
    }
  }

  @Test
  void whoSendsAHeaderAloneTakesNoBuffers() throws Exception {
    try (ReceivingPort port = port(PATIENCE)) {
      long before = directBytes();

      announce(port, Arrivals.MOST_ARRIVING);

      assertThat(directBytes() - before).isLessThan(4 * MIB);
    }
  }

  @Test
  void aSenderHearsThatAsManyFilesAsMayAreArriving() throws Exception {
    try (ReceivingPort port = port(PATIENCE)) {
      announce(port, Arrivals.MOST_ARRIVING);

      assertThatThrownBy(() -> send(port)).hasMessageContaining("busy").hasMessageContaining("fix");

      leave();
      await().ignoreExceptionsInstanceOf(TransferFailed.class).until(() -> send(port).bytes() == 3);
      assertThat(folder.resolve("honest")).hasContent("abc");
    }
  }

  @Test
  void filesThatStandStillGiveWayToOneThatComes() throws Exception {
    try (ReceivingPort port = port(Duration.ZERO)) {
      announce(port, Arrivals.MOST_ARRIVING);

      send(port);

      assertThat(folder.resolve("honest")).hasContent("abc");
    }
  }

  @Test
  void anErrorEndsOneConnectionAndNotThePort() throws Exception {
    AtomicBoolean failed = new AtomicBoolean();
    FileReceiver receiver = receiver(PATIENCE);
    ConnectionReceiver once =
        (connection, admission) -> {
          if (failed.compareAndSet(false, true)) {
            throw new OutOfMemoryError("for a moment");
          }
          return receiver.receive(connection, admission);
        };
    try (ReceivingPort port =
        ReceivingPort.open(new InetSocketAddress("127.0.0.1", 0), Long.MAX_VALUE, once)) {
      new Socket("127.0.0.1", port.address().port()).close();
      assertThat(port.next()).isInstanceOf(Outcome.Broken.class);

      send(port);

      assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
    }
  }

  private void announce(ReceivingPort port, int files) throws IOException {
    for (int i = 0; i < files; i++) {
      Socket stranger = new Socket("127.0.0.1", port.address().port());
      strangers.add(stranger);
      stranger.getOutputStream().write(new TransferHeader("s" + i, 100).encode().array());
    }
    await()
        .until(() -> {
          try (Stream<Path> parts = Files.list(folder)) {
            return parts.count() == files;
          }
        });
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private FileReceiver receiver(Duration standstill) {
    return new FileReceiver(
        new OutputTarget(folder, false, false), PATIENCE, standstill, TransferListener.SILENT);
  }

  private ReceivingPort port(Duration standstill) throws IOException {
    return ReceivingPort.open(
        new InetSocketAddress("127.0.0.1", 0), Long.MAX_VALUE, receiver(standstill));
  }

  private static Sent send(ReceivingPort port) throws IOException {
    return new FileSender(
            Connections.connect(port.address(), PATIENCE), PATIENCE, TransferListener.SILENT)
        .send(
            new TransferHeader("honest", 3),
            Channels.newChannel(new ByteArrayInputStream(new byte[] {'a', 'b', 'c'})),
            Original.NONE);
  }
}
