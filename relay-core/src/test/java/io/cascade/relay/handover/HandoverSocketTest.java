package io.cascade.relay.handover;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.cascade.carriage.transport.Transport;
import io.netty.channel.Channel;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class HandoverSocketTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Integer NOBODY = 65_534;

  @TempDir private Path folder;
  private MultiThreadIoEventLoopGroup loops;

  @SuppressWarnings("NullAway.Init")
  HandoverSocketTest() {}

  @BeforeEach
  void start() {
    assumeThat(Transport.EPOLL.available())
        .as("SKIPPED: sockets are handed over on Linux's epoll only")
        .isTrue();
    loops = new MultiThreadIoEventLoopGroup(1, Transport.EPOLL.newIoHandlerFactory());
  }

  @AfterEach
  void stop() {
    if (loops != null) {
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }

  @Test
  void aProcessOfTheSameUserIsHeard() throws Exception {
    BlockingQueue<HandoverSocket> successors = new LinkedBlockingQueue<>();
    Channel listening = HandoverSocket.listen(folder.resolve("r"), loops, successors::add);
    try (HandoverSocket socket =
        requireNonNull(HandoverSocket.connect(folder.resolve("r"), loops))) {
      HandoverSocket accepted = requireNonNull(successors.poll(10, TimeUnit.SECONDS));
      accepted.send("hello");
      assertThat(socket.read(PATIENCE)).isEqualTo("hello");
    } finally {
      listening.close().syncUninterruptibly();
    }
  }

  @Test
  void aRelayOfAnotherUserIsNoPredecessor() throws IOException {
    Path path = folder.resolve("r");
    Channel listening = HandoverSocket.listen(path, loops, HandoverSocket::close);
    try {
      assertThatThrownBy(() -> HandoverSocket.connect(path, loops, NOBODY))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another user");
    } finally {
      listening.close().syncUninterruptibly();
    }
  }

  @Test
  void whereNobodyListensThereIsNone() throws IOException {
    assertThat(HandoverSocket.connect(folder.resolve("none"), loops)).isNull();
  }
}
