package io.cascade.carriage.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class DatagramBatchTest {
  private final List<byte[]> arrived = new ArrayList<>();
  private final List<Long> times = new ArrayList<>();

  /**
   * Trains of equal lengths, a shorter last one, a longer next one: all come out as they went in.
   */
  @Test
  void datagramsOfAnyLengthsArriveAsTheyWereSentAndWithTheirTimes() throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    UdpSocket from = UdpSocket.bind(any);
    UdpSocket to = UdpSocket.bind(any);
    try {
      from.connect(to.localAddress());
      int[] lengths = {1400, 1400, 1400, 900, 1400, 1402, 1402, 7, 7, 7, 1500, 1};
      long before = System.nanoTime();
      for (int i = 0; i < lengths.length; i++) {
        assertThat(from.hasRoom(1500)).isTrue();
        from.buffer().put(content(i, lengths[i]));
        from.add(lengths[i]);
      }
      assertThat(from.flush()).isTrue();
      while (arrived.size() < lengths.length) {
        DatagramReceiver.ofThisThread().receive(to.fd().intValue(), null, this::note);
      }
      for (int i = 0; i < lengths.length; i++) {
        assertThat(arrived.get(i)).isEqualTo(content(i, lengths[i]));
      }
      assertThat(to.hasKernelTimes()).isTrue();
      assertThat(times).allSatisfy(time -> assertThat(time).isBetween(before, System.nanoTime()));
    } finally {
      from.close();
      to.close();
    }
  }

  /** Nobody listens: that is a loss, and no end of the socket. */
  @Test
  void aRefusedDatagramIsLostAndCounted() throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    UdpSocket from = UdpSocket.bind(any);
    UdpSocket gone = UdpSocket.bind(any);
    InetSocketAddress address = gone.localAddress();
    gone.close();
    try {
      from.connect(address);
      for (int i = 0; i < 4; i++) {
        from.buffer().put((byte) i);
        from.add(1);
        assertThat(from.flush()).isTrue();
      }
      assertThat(from.refused()).isPositive();
    } finally {
      from.close();
    }
  }

  /** 32 datagrams of 2,048 bytes are longer together than what UDP carries, which is refused. */
  @Test
  void datagramsOfATrainThatIsRefusedLeaveOneByOne() throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    UdpSocket from = UdpSocket.bind(any);
    UdpSocket to = UdpSocket.bind(any);
    try {
      from.connect(to.localAddress());
      for (int train = 0; train < 2; train++) {
        arrived.clear();
        for (int i = 0; i < 32; i++) {
          assertThat(from.hasRoom(2_048)).isTrue();
          from.buffer().put(content(i, 2_048));
          from.add(2_048);
        }
        assertThat(from.flush()).isTrue();
        await()
            .atMost(Duration.ofSeconds(20))
            .until(() -> {
              DatagramReceiver.ofThisThread().receive(to.fd().intValue(), null, this::note);
              return arrived.size() == 32;
            });
        for (int i = 0; i < 32; i++) {
          assertThat(arrived.get(i)).isEqualTo(content(i, 2_048));
        }
      }
      assertThat(from.refused()).isZero();
    } finally {
      from.close();
      to.close();
    }
  }

  private void note(ByteBuffer datagram, long receivedNanos) {
    byte[] bytes = new byte[datagram.remaining()];
    datagram.get(bytes);
    arrived.add(bytes);
    times.add(receivedNanos);
  }

  private static byte[] content(int number, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (31 * number + i);
    }
    return bytes;
  }
}
