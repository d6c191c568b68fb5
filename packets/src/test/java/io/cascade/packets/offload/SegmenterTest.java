package io.cascade.packets.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.packets.header.InternetChecksum;
import io.cascade.packets.offload.OffloadHeader.Kind;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Long packets are divided as a sender without offloads would have sent them. */
class SegmenterTest {
  private static final int FIN = 0x01;
  private static final int PSH = 0x08;
  private static final int ACK = 0x10;
  private static final int CWR = 0x80;
  private static final int UDP = 17;

  private final List<byte[]> came = new ArrayList<>();
  private final Segmenter segmenter = new Segmenter(65_536);

  @RepeatedTest(200)
  void segmentsCarryTheSameBytesUnderHeadersOfTheirOwn(RepetitionInfo run) {
    SplittableRandom random = new SplittableRandom(run.getCurrentRepetition());
    boolean isIpv4 = random.nextBoolean();
    int ipBytes = isIpv4 ? 20 + 4 * random.nextInt(11) : 40;
    int tcpBytes = 20 + 4 * random.nextInt(11);
    int size = random.nextInt(1, 1_461);
    byte[] payload = new byte[random.nextInt(1, 60_000)];
    random.nextBytes(payload);
    byte[] whole = tcp(random, isIpv4, ipBytes, tcpBytes, FIN | PSH | ACK | CWR, payload);
    int firstId = ByteBuffer.wrap(whole).getShort(4) & 0xffff;
    int sequence = ByteBuffer.wrap(whole).getInt(ipBytes + 4);

    split(new OffloadHeader(true, isIpv4 ? Kind.TCP_V4 : Kind.TCP_V6, size, ipBytes, 16), whole);

    assertThat(came).hasSize((payload.length + size - 1) / size);
    ByteArrayOutputStream carried = new ByteArrayOutputStream();
    for (int i = 0; i < came.size(); i++) {
      byte[] segment = came.get(i);
      ByteBuffer fields = ByteBuffer.wrap(segment);
      int head = ipBytes + tcpBytes;
      if (isIpv4) {
        assertThat(fields.getShort(2) & 0xffff).isEqualTo(segment.length);
        assertThat(fields.getShort(4) & 0xffff).isEqualTo((firstId + i) & 0xffff);
        assertThat(InternetChecksum.of(InternetChecksum.sum(segment, 0, ipBytes, 0))).isZero();
      } else {
        assertThat(fields.getShort(4) & 0xffff).isEqualTo(segment.length - 40);
      }
      assertThat(fields.getInt(ipBytes + 4)).isEqualTo(sequence + carried.size());
      boolean isLast = i == came.size() - 1;
      assertThat(segment[ipBytes + 13] & 0xff)
          .isEqualTo(ACK | (isLast ? FIN | PSH : 0) | (i == 0 ? CWR : 0));
      assertThat(transportChecksum(segment, isIpv4, ipBytes, 6)).as("of TCP").isZero();
      assertThat(Arrays.copyOfRange(segment, ipBytes + 20, head))
          .as("options")
          .isEqualTo(Arrays.copyOfRange(whole, ipBytes + 20, head));
      carried.write(segment, head, segment.length - head);
    }
    assertThat(carried.toByteArray()).isEqualTo(payload);
    assertThat(segmenter.counts()).isEqualTo(new Segmenter.Counts(1, came.size(), 0));
  }

  @RepeatedTest(50)
  void aChecksumOfThePseudoHeaderAloneIsCompleted(RepetitionInfo run) {
    SplittableRandom random = new SplittableRandom(run.getCurrentRepetition());
    byte[] packet = new byte[28 + random.nextInt(1_400)];
    random.nextBytes(packet);
    packet[0] = 0x45;
    packet[9] = UDP;
    ByteBuffer.wrap(packet).putShort(24, (short) (packet.length - 20));
    long pseudo = InternetChecksum.sum(packet, 12, 20, UDP + (long) (packet.length - 20));
    ByteBuffer.wrap(packet).putShort(26, (short) ~InternetChecksum.of(pseudo));

    split(new OffloadHeader(true, Kind.NONE, 0, 20, 6), packet);

    assertThat(transportChecksum(came.getFirst(), true, 20, UDP)).isZero();
    assertThat(ByteBuffer.wrap(came.getFirst()).getShort(26)).as("0 means none").isNotZero();
  }

  @Test
  void aPacketThatIsWholePassesAsItIs() {
    byte[] packet = {0x45, 1, 2, 3};
    split(new OffloadHeader(false, Kind.NONE, 0, 0, 0), packet);
    assertThat(came).containsExactly(packet);
    assertThat(segmenter.counts()).isEqualTo(Segmenter.Counts.NONE);
  }

  /** Whatever a header and a packet say: packets within the bounds, or a count. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void nonsenseIsCountedAndNothingElse(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 50_000; i++) {
      byte[] packet = new byte[random.nextInt(200)];
      random.nextBytes(packet);
      if (packet.length > 0 && random.nextBoolean()) {
        packet[0] = (byte) (random.nextBoolean() ? 0x45 : 0x60);
      }
      byte[] header = new byte[OffloadHeader.BYTES];
      random.nextBytes(header);
      if (random.nextBoolean()) {
        header[1] = (byte) (random.nextBoolean() ? 1 : 4);
        ByteBuffer fields = ByteBuffer.wrap(header).order(ByteOrder.nativeOrder());
        fields.putShort(6, (short) random.nextInt(120)).putShort(8, (short) 16);
      }
      came.clear();
      long before = segmenter.counts().malformed();
      split(OffloadHeader.read(header), packet);
      assertThat(segmenter.counts().malformed() - before).isEqualTo(came.isEmpty() ? 1 : 0);
      assertThat(came).allMatch(one -> one.length <= packet.length);
    }
  }

  @Test
  void theHeaderIsReadInTheMachinesOrder() {
    byte[] header = new byte[OffloadHeader.BYTES];
    ByteBuffer fields = ByteBuffer.wrap(header).order(ByteOrder.nativeOrder());
    fields.put((byte) 1).put((byte) 0x84).putShort((short) 60);
    fields.putShort((short) 1_348).putShort((short) 40).putShort((short) 16);

    assertThat(OffloadHeader.read(header))
        .isEqualTo(new OffloadHeader(true, Kind.TCP_V6, 1_348, 40, 16));
  }

  private void split(OffloadHeader header, byte[] packet) {
    segmenter.split(
        header,
        packet.clone(),
        packet.length,
        (bytes, length) -> came.add(Arrays.copyOf(bytes, length)));
  }

  private static byte[] tcp(
      SplittableRandom random,
      boolean isIpv4,
      int ipBytes,
      int tcpBytes,
      int flags,
      byte[] payload) {
    byte[] packet = new byte[ipBytes + tcpBytes + payload.length];
    byte[] head = new byte[ipBytes + tcpBytes];
    random.nextBytes(head);
    System.arraycopy(head, 0, packet, 0, head.length);
    System.arraycopy(payload, 0, packet, head.length, payload.length);
    packet[0] = (byte) (isIpv4 ? 0x40 | ipBytes / 4 : 0x60);
    packet[isIpv4 ? 9 : 6] = 6;
    packet[ipBytes + 12] = (byte) ((tcpBytes / 4) << 4);
    packet[ipBytes + 13] = (byte) flags;
    return packet;
  }

  /** 0 where it is right. */
  private static int transportChecksum(byte[] packet, boolean isIpv4, int ipBytes, int protocol) {
    int addresses = isIpv4 ? 12 : 8;
    long pseudo =
        InternetChecksum.sum(
            packet,
            addresses,
            addresses + (isIpv4 ? 8 : 32),
            protocol + (long) (packet.length - ipBytes));
    return InternetChecksum.of(InternetChecksum.sum(packet, ipBytes, packet.length, pseudo));
  }
}
