package io.cascade.gateway.tunnel;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.packets.offload.Segmenter;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The kernel of a gateway's own host leaves checksums and segmentation to the gateway. */
class GatewayOffloadTest extends GatewayNetworks {
  private static final int BYTES = 8 << 20;

  @Test
  void longPacketsOfTheKernelCrossTheTunnelAsSegments() throws Exception {
    Gateway near = near(DeliveryMode.DATAGRAM);
    far(DeliveryMode.DATAGRAM);
    awaitUp(0);
    byte[] sent = new byte[BYTES];
    new Random(1).nextBytes(sent);

    byte[] came = carry(sent);

    assertThat(Arrays.equals(came, sent)).as("the same bytes").isTrue();
    Segmenter.Counts counts = near.status().segmented();
    assertThat(counts.longPackets()).isPositive();
    assertThat(counts.segments()).isGreaterThan(counts.longPackets());
    assertThat(counts.malformed()).isZero();
    assertThat(near.status().packets().tooBig()).isZero();
    assertThat(StatusText.of(near.status())).contains("long TCP packets");
  }

  private byte[] carry(byte[] sent) throws Exception {
    try (ServerSocketChannel server =
            space(1)
                .call(() -> ServerSocketChannel.open().bind(new InetSocketAddress("10.2.0.1", 0)));
        SocketChannel client = space(0).call(() -> SocketChannel.open())) {
      client.bind(new InetSocketAddress("10.1.0.1", 0));
      client.connect(server.getLocalAddress());
      try (SocketChannel accepted = server.accept();
          InputStream input = Channels.newInputStream(accepted)) {
        CompletableFuture<byte[]> reading =
            CompletableFuture.supplyAsync(() -> {
              try {
                return input.readAllBytes();
              } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
        ByteBuffer bytes = ByteBuffer.wrap(sent);
        while (bytes.hasRemaining()) {
          client.write(bytes);
        }
        client.shutdownOutput();
        return reading.get(PATIENCE.toSeconds(), java.util.concurrent.TimeUnit.SECONDS);
      }
    }
  }
}
