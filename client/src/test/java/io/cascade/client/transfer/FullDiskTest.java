package io.cascade.client.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk that fills ends the transfer that fills it, and no other. */
@Timeout(60)
class FullDiskTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int DISK_BYTES = 1 << 20;

  @TempDir Path disk = Path.of("");
  private boolean mounted;

  @BeforeEach
  void mount() throws Exception {
    mounted = run("mount", "-t", "tmpfs", "-o", "size=" + DISK_BYTES, "tmpfs", disk.toString());
    if (!mounted) {
      System.out.println("SKIPPED: only root may mount a file system to fill");
    }
    assumeTrue(mounted, "only root may mount a file system to fill");
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      assertThat(run("umount", disk.toString())).isTrue();
    }
  }

  @Test
  void aTransferThatFillsItIsRefusedAndTheNextOneArrives() throws Exception {
    try (ReceivingPort port =
        ReceivingPort.open(
            new InetSocketAddress("127.0.0.1", 0),
            Long.MAX_VALUE,
            new FileReceiver(
                new OutputTarget(disk, false, false), PATIENCE, TransferListener.SILENT))) {
      assertThatThrownBy(() -> send(port, "large", 2 * DISK_BYTES))
          .isInstanceOf(TransferFailed.class)
          .hasMessageContaining("No space left on device");
      assertThat(port.next()).isInstanceOf(Outcome.Broken.class);
      assertThat(disk).isEmptyDirectory();

      send(port, "small", DISK_BYTES / 2);

      assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
      assertThat(disk.resolve("small")).hasSize(DISK_BYTES / 2);
    }
  }

  /** Its size is not announced, so that it is not refused beforehand. */
  private static void send(ReceivingPort port, String name, int bytes) throws IOException {
    Sent _ =
        new FileSender(
                TcpConnection.of(Connections.connect(port.address(), PATIENCE)),
                PATIENCE,
                TransferListener.SILENT)
            .send(
                new TransferHeader(name, TransferHeader.UNKNOWN_SIZE),
                Channels.newChannel(new ByteArrayInputStream(new byte[bytes])),
                Original.NONE);
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getInputStream().readAllBytes();
    return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
  }
}
