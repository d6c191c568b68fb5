package io.cascade.relay.hop;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.relay.stream.StreamStart;
import io.cascade.testing.Golden;
import io.cascade.testing.PreviousVersion;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.haproxy.HAProxyCommand;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What relays say to each other, byte for byte. */
class HopHeaderTest {
  private static final UUID CHAIN = new UUID(1, 2);
  private static final UUID STREAM = new UUID(3, 4);
  private static final HopKey KEY = key(1);

  @ParameterizedTest
  @CsvSource({
    "10.1.2.3, 10.4.5.6",
    "2001:db8::1, 2001:db8::2",
    "10.1.2.3, 2001:db8::2",
    "2001:db8::1, 10.4.5.6"
  })
  void aStreamsHeaderIsReadAsItWasWritten(String client, String ingress) throws Exception {
    HopHeader header =
        HopHeader.stream(CHAIN, new HopAddress(15, 63, 16), Long.MAX_VALUE, start(client, ingress));
    HopHeader.Unverified read = decoded(header.encode(KEY));
    assertThat(read.header()).isEqualTo(header);
    assertThat(read.verifiedBy(KEY)).isTrue();
    assertThat(read.verifiedBy(key(2))).isFalse();
  }

  @ParameterizedTest
  @MethodSource("headers")
  void everyKindIsReadAsItWasWrittenAndWhatFollowsIsLeft(HopHeader header) throws Exception {
    ByteBuf bytes = Unpooled.wrappedBuffer(header.encode(KEY), new byte[] {42});
    HopHeader.Unverified read = Objects.requireNonNull(HopHeader.decode(bytes));
    assertThat(read.header()).isEqualTo(header);
    assertThat(read.verifiedBy(KEY)).isTrue();
    assertThat(bytes.readableBytes()).isEqualTo(1);
    assertThat(bytes.readByte()).isEqualTo((byte) 42);
  }

  @Test
  @Tag(Golden.TAG)
  void theBytesOfHeadersStayAsTheyAre() {
    Golden.check(
        "wire/hop-header.txt",
        headers()
            .map(
                header -> header.kind() + " " + HexFormat.of().formatHex(header.encode(KEY)) + "\n")
            .collect(Collectors.joining()));
  }

  @Test
  void anAnswerRepeatsWhatItAnswers() {
    assertThat(HopHeader.greeting(CHAIN, hop(3), 7).answer())
        .isEqualTo(new HopHeader(HopHeader.Kind.WELCOME, CHAIN, null, hop(3), 7, null));
    assertThat(HopHeader.stream(CHAIN, hop(3), 8, start("10.1.2.3", "10.4.5.6")).answer())
        .isEqualTo(new HopHeader(HopHeader.Kind.ACCEPTED, CHAIN, STREAM, hop(3), 8, null));
  }

  @Test
  void aStreamWhoseClientWaitsForTheDestinationSaysSoAndIsAcceptedAlike() throws Exception {
    StreamStart plain = start("10.1.2.3", "10.4.5.6");
    StreamStart awaited = new StreamStart(plain.id(), plain.client(), plain.ingress(), true);
    HopHeader header = HopHeader.stream(CHAIN, hop(3), 8, awaited);
    assertThat(decoded(header.encode(KEY)).header()).isEqualTo(header);
    assertThat(header.answer()).isEqualTo(HopHeader.stream(CHAIN, hop(3), 8, plain).answer());
  }

  @Test
  void readsTheHeaderOfARelayOfTheVersionBefore() throws Exception {
    byte[] before = HexFormat.of().parseHex(PreviousVersion.document("hop-header.hex").strip());
    HopHeader.Unverified read = decoded(before);
    assertThat(read.verifiedBy(KEY)).isTrue();
    assertThat(read.header())
        .isEqualTo(HopHeader.stream(CHAIN, hop(3), 8, start("10.1.2.3", "10.4.5.6")));
    assertThat(read.header().encode(KEY)).as("and writes the same").isEqualTo(before);
  }

  @Test
  void anAnswerHasNoAnswer() {
    HopHeader welcome = HopHeader.greeting(CHAIN, hop(3), 7).answer();
    assertThatThrownBy(welcome::answer).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "10.1.2.3, 10.4.5.6, 10.1.2.3, 10.4.5.6, TCP4",
    "2001:db8::1, 2001:db8::2, 2001:db8:0:0:0:0:0:1, 2001:db8:0:0:0:0:0:2, TCP6",
    "10.1.2.3, 2001:db8::2, 0:0:0:0:0:ffff:a01:203, 2001:db8:0:0:0:0:0:2, TCP6"
  })
  void anIndependentDecoderUnderstandsAStreamsHeader(
      String client, String ingress, String source, String destination, HAProxyProxiedProtocol as) {
    EmbeddedChannel decoder = new EmbeddedChannel(new HAProxyMessageDecoder());
    HopAddress hop = new HopAddress(2, 3, 1);
    HopHeader header = HopHeader.stream(CHAIN, hop, 9, start(client, ingress));
    decoder.writeInbound(Unpooled.wrappedBuffer(header.encode(KEY)));
    HAProxyMessage message = decoder.readInbound();
    try {
      assertThat(message.command()).isEqualTo(HAProxyCommand.PROXY);
      assertThat(message.proxiedProtocol()).isEqualTo(as);
      assertThat(message.sourceAddress()).isEqualTo(source);
      assertThat(message.sourcePort()).isEqualTo(40_000);
      assertThat(message.destinationAddress()).isEqualTo(destination);
      assertThat(message.destinationPort()).isEqualTo(20_000);
      assertThat(message.tlvs())
          .extracting(tlv -> tlv.typeByteValue() & 0xff, tlv -> tlv.content().readableBytes())
          .containsExactly(
              tuple(0xe0, 1),
              tuple(0xe1, 16),
              tuple(0xe2, 16),
              tuple(0xe3, 3),
              tuple(0xe4, 8),
              tuple(0xe5, 32));
      assertThat(message.tlvs().get(1).content())
          .isEqualTo(Unpooled.buffer().writeLong(1).writeLong(2));
      assertThat(message.tlvs().get(3).content())
          .as("segment, pipe and hop")
          .isEqualTo(Unpooled.wrappedBuffer(new byte[] {2, 3, 1}));
      assertThat(message.tlvs().get(4).content()).isEqualTo(Unpooled.buffer().writeLong(9));
    } finally {
      message.release();
      decoder.finishAndReleaseAll();
    }
  }

  @ParameterizedTest
  @MethodSource("headers")
  void aHeaderThatIsNotWholeIsWaitedFor(HopHeader header) throws Exception {
    byte[] whole = header.encode(KEY);
    for (int length = 0; length < whole.length; length++) {
      ByteBuf part = Unpooled.wrappedBuffer(whole, 0, length);
      assertThat(HopHeader.decode(part)).isNull();
      assertThat(part.readableBytes()).isEqualTo(length);
    }
  }

  @ParameterizedTest
  @MethodSource("headers")
  void noBitCanBeChangedUnnoticed(HopHeader header) throws Exception {
    byte[] whole = header.encode(KEY);
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
  void theTextualHeaderOfVersion1IsRefusedAtItsFirstByte() {
    byte[] text = "PROXY TCP4 10.1.2.3 10.4.5.6 40000 20000\r\n".getBytes(US_ASCII);
    for (int length = 1; length <= text.length; length++) {
      ByteBuf part = Unpooled.wrappedBuffer(text, 0, length);
      assertThatThrownBy(() -> HopHeader.decode(part)).isInstanceOf(HopHeader.Malformed.class);
    }
  }

  @Test
  void anOversizedHeaderIsRefusedBeforeItHasCome() {
    byte[] prefix = Arrays.copyOf(HopHeader.greeting(CHAIN, hop(1), 5).encode(KEY), 16);
    prefix[14] = 0x7f;
    assertThatThrownBy(() -> HopHeader.decode(Unpooled.wrappedBuffer(prefix)))
        .isInstanceOf(HopHeader.Malformed.class)
        .hasMessageContaining("oversized");
  }

  @Test
  void randomBytesAreMalformedOrIncompleteAndNothingElse() throws Exception {
    Random random = new Random(11);
    byte[] valid = HopHeader.stream(CHAIN, hop(1), 5, start("10.1.2.3", "10.4.5.6")).encode(KEY);
    for (int round = 0; round < 100_000; round++) {
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

  static Stream<HopHeader> headers() {
    HopHeader greeting = HopHeader.greeting(CHAIN, hop(1), 5);
    HopHeader stream = HopHeader.stream(CHAIN, hop(15), 6, start("10.1.2.3", "10.4.5.6"));
    HopHeader stream6 = HopHeader.stream(CHAIN, hop(15), 6, start("2001:db8::1", "10.4.5.6"));
    return Stream.of(greeting, greeting.answer(), stream, stream.answer(), stream6);
  }

  private static HopHeader.Unverified decoded(byte[] bytes) throws HopHeader.Malformed {
    HopHeader.Unverified read = HopHeader.decode(Unpooled.wrappedBuffer(bytes));
    assertThat(read).isNotNull();
    return Objects.requireNonNull(read);
  }

  private static StreamStart start(String client, String ingress) {
    return new StreamStart(
        STREAM, new InetSocketAddress(client, 40_000), new InetSocketAddress(ingress, 20_000));
  }

  static HopKey key(int seed) {
    byte[] key = new byte[32];
    new Random(seed).nextBytes(key);
    return HopKey.parse(Base64.getEncoder().encodeToString(key));
  }

  private static HopAddress hop(int number) {
    return new HopAddress(0, 0, number);
  }
}
