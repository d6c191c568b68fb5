package io.cascade.relay.hop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.relay.stream.StreamStart;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.haproxy.HAProxyCommand;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What relays say to each other, byte for byte. */
class HopHeaderTest {
  private static final UUID CHAIN = new UUID(1, 2);
  private static final HopKey KEY = key(1);

  @ParameterizedTest
  @CsvSource({"10.1.2.3, 10.4.5.6", "2001:db8::1, 2001:db8::2", "10.1.2.3, 2001:db8::2"})
  void aStreamsHeaderIsReadAsItWasWritten(String client, String ingress) throws Exception {
    HopHeader header = HopHeader.stream(CHAIN, 2, 77, start(client, ingress));
    HopHeader.Unverified read = decoded(header.encode(KEY));
    assertThat(read.header().kind()).isEqualTo(HopHeader.Kind.STREAM);
    assertThat(read.header().chain()).isEqualTo(CHAIN);
    assertThat(read.header().hopIndex()).isEqualTo(2);
    assertThat(read.header().counter()).isEqualTo(77);
    StreamStart start = java.util.Objects.requireNonNull(read.header().start());
    assertThat(start.id()).isEqualTo(new UUID(3, 4));
    assertThat(start.client().getPort()).isEqualTo(40_000);
    assertThat(read.verifiedBy(KEY)).isTrue();
    assertThat(read.verifiedBy(key(2))).isFalse();
  }

  @Test
  void greetingsAndAnswersAreReadAsTheyWereWritten() throws Exception {
    HopHeader greeting = HopHeader.greeting(CHAIN, 1, 5);
    assertThat(decoded(greeting.encode(KEY)).header()).isEqualTo(greeting);
    assertThat(decoded(greeting.answer().encode(KEY)).header()).isEqualTo(greeting.answer());
  }

  @Test
  void anIndependentDecoderUnderstandsAStreamsHeader() {
    EmbeddedChannel decoder = new EmbeddedChannel(new HAProxyMessageDecoder());
    HopHeader header = HopHeader.stream(CHAIN, 1, 9, start("10.1.2.3", "10.4.5.6"));
    decoder.writeInbound(Unpooled.wrappedBuffer(header.encode(KEY)));
    HAProxyMessage message = decoder.readInbound();
    try {
      assertThat(message.command()).isEqualTo(HAProxyCommand.PROXY);
      assertThat(message.sourceAddress()).isEqualTo("10.1.2.3");
      assertThat(message.sourcePort()).isEqualTo(40_000);
      assertThat(message.destinationAddress()).isEqualTo("10.4.5.6");
      assertThat(message.tlvs()).hasSize(6);
    } finally {
      message.release();
      decoder.finishAndReleaseAll();
    }
  }

  @Test
  void aHeaderThatIsNotWholeIsWaitedFor() throws Exception {
    byte[] whole = HopHeader.greeting(CHAIN, 1, 5).encode(KEY);
    for (int length = 0; length < whole.length; length++) {
      ByteBuf part = Unpooled.wrappedBuffer(whole, 0, length);
      assertThat(HopHeader.decode(part)).isNull();
      assertThat(part.readableBytes()).isEqualTo(length);
    }
  }

  @Test
  void noBitCanBeChangedUnnoticed() throws Exception {
    byte[] whole = HopHeader.stream(CHAIN, 1, 5, start("10.1.2.3", "10.4.5.6")).encode(KEY);
    for (int bit = 0; bit < whole.length * 8; bit++) {
      byte[] changed = whole.clone();
      changed[bit / 8] ^= (byte) (1 << (bit % 8));
      try {
        HopHeader.Unverified read = HopHeader.decode(Unpooled.wrappedBuffer(changed));
        assertThat(read == null || !read.verifiedBy(KEY)).as("bit %d", bit).isTrue();
      } catch (HopHeader.Malformed e) {
        assertThat(e).hasMessageMatching(".+");
      }
    }
  }

  @Test
  void anOversizedHeaderIsRefusedBeforeItHasCome() {
    byte[] prefix = Arrays.copyOf(HopHeader.greeting(CHAIN, 1, 5).encode(KEY), 16);
    prefix[14] = 0x7f;
    assertThatThrownBy(() -> HopHeader.decode(Unpooled.wrappedBuffer(prefix)))
        .isInstanceOf(HopHeader.Malformed.class)
        .hasMessageContaining("oversized");
  }

  @Test
  void randomBytesAreMalformedOrIncompleteAndNothingElse() throws Exception {
    Random random = new Random(11);
    byte[] valid = HopHeader.stream(CHAIN, 1, 5, start("10.1.2.3", "10.4.5.6")).encode(KEY);
    for (int round = 0; round < 50_000; round++) {
      byte[] bytes = round % 2 == 0 ? new byte[random.nextInt(300)] : valid.clone();
      if (round % 2 == 0) {
        random.nextBytes(bytes);
      } else {
        for (int i = 0; i < 4; i++) {
          bytes[13 + random.nextInt(bytes.length - 13)] = (byte) random.nextInt();
        }
      }
      try {
        HopHeader.Unverified read = HopHeader.decode(Unpooled.wrappedBuffer(bytes));
        assertThat(read == null || !read.verifiedBy(key(2))).isTrue();
      } catch (HopHeader.Malformed e) {
        assertThat(e.getMessage()).isNotEmpty();
      }
    }
  }

  private static HopHeader.Unverified decoded(byte[] bytes) throws HopHeader.Malformed {
    HopHeader.Unverified read = HopHeader.decode(Unpooled.wrappedBuffer(bytes));
    assertThat(read).isNotNull();
    return java.util.Objects.requireNonNull(read);
  }

  private static StreamStart start(String client, String ingress) {
    return new StreamStart(
        new UUID(3, 4),
        new InetSocketAddress(client, 40_000),
        new InetSocketAddress(ingress, 20_000));
  }

  static HopKey key(int seed) {
    byte[] key = new byte[32];
    new Random(seed).nextBytes(key);
    return HopKey.parse(Base64.getEncoder().encodeToString(key));
  }
}
