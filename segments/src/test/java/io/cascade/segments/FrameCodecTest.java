package io.cascade.segments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.testing.Golden;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameCodecTest {
  private static final Octets16 SOME = new Octets16(0x0102030405060708L, 0x090A0B0C0D0E0F10L);

  static Stream<Frame> frames() {
    return Stream.of(
        new Frame.Challenge(1, SOME),
        new Frame.Introduction(1, false, SOME, 0, SOME),
        new Frame.Introduction(7, true, SOME, Integer.MAX_VALUE, SOME),
        new Frame.Acceptance(SOME),
        new Frame.Refusal(Reason.FORGED, ""),
        new Frame.Refusal(Reason.CAPACITY, "x".repeat(FrameCodec.MOST_DETAIL)),
        new Frame.Data(0, ByteBuffer.wrap(new byte[] {42})),
        new Frame.Data(1L << 60, ByteBuffer.allocate(FrameCodec.MOST_DATA)),
        new Frame.Acknowledgement(1, 2, 3),
        new Frame.Acknowledgement(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE),
        new Frame.Probe(-1),
        new Frame.Echo(5),
        new Frame.Withdrawal(),
        new Frame.PipeStart(2, true, false, 3),
        new Frame.End(0, Reason.FINISHED),
        new Frame.End(9, Reason.LOCAL_RESET),
        new Frame.Reset(Reason.STRANDED, "für 60 s"));
  }

  static ByteBuffer wire(Frame frame) {
    ByteBuffer wire = ByteBuffer.allocate(FrameCodec.MOST_FRAME);
    wire.put(FrameCodec.head(frame));
    if (frame instanceof Frame.Data data) {
      wire.put(data.bytes().duplicate());
    }
    return wire.flip();
  }

  @Test
  @Tag(Golden.TAG)
  void theOctetsOfFramesStayAsTheyAre() {
    StringBuilder text = new StringBuilder();
    frames()
        .filter(frame -> FrameCodec.octets(frame) < 1_000)
        .forEach(frame ->
            text.append(frame.getClass().getSimpleName())
                .append(' ')
                .append(HexFormat.of().formatHex(octets(frame)))
                .append('\n'));
    Golden.check("wire/segment-frames.txt", text.toString());
  }

  private static byte[] octets(Frame frame) {
    ByteBuffer wire = wire(frame);
    byte[] octets = new byte[wire.remaining()];
    wire.get(octets);
    return octets;
  }

  @ParameterizedTest
  @MethodSource("frames")
  void whatIsWrittenIsParsed(Frame frame) throws ProtocolViolation {
    ByteBuffer wire = wire(frame);
    assertThat(FrameCodec.parse(wire)).isEqualTo(frame);
    assertThat(wire.hasRemaining()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("frames")
  void aFrameThatIsNotCompleteConsumesNothing(Frame frame) throws ProtocolViolation {
    ByteBuffer wire = wire(frame);
    int length = wire.limit();
    for (int end = 0; end < length; end += Math.max(1, length / 64)) {
      ByteBuffer part = wire.duplicate().limit(end);
      assertThat(FrameCodec.parse(part)).isNull();
      assertThat(part.position()).isZero();
    }
  }

  /** The layout, as docs/how/segments.md has it. */
  @Test
  void octetsAreAsTheDocumentSays() {
    assertThat(hex(new Frame.Data(258, ByteBuffer.wrap(new byte[] {1, 2}))))
        .isEqualTo("0500000a" + "0000000000000102" + "0102");
    assertThat(hex(new Frame.Acknowledgement(1, 2, 3)))
        .isEqualTo("06000018" + "0000000000000001" + "0000000000000002" + "0000000000000003");
    assertThat(hex(new Frame.End(1, Reason.LOCAL_RESET)))
        .isEqualTo("0900000a" + "0000000000000001" + "0001");
    assertThat(hex(new Frame.Challenge(1, SOME)))
        .isEqualTo("01000018" + "43534547" + "00000001" + "0102030405060708090a0b0c0d0e0f10");
  }

  private static String hex(Frame frame) {
    ByteBuffer wire = wire(frame);
    byte[] octets = new byte[wire.remaining()];
    wire.get(octets);
    return HexFormat.of().formatHex(octets);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00000000", // no such type
        "0b000000",
        "0c00000100", // a withdrawal with something in it
        "0d000000",
        "05000008", // data without data
        "05010009", // data that is too long
        "06000017",
        "03ffffff",
        "0100001847455420000000010102030405060708090a0b0c0d0e0f10", // another protocol
        "0500000a80000000000001020102", // an offset below 0
        "0500000a7fffffffffffffff0102",
        "0900000a00000000000000017fff", // no such reason
      })
  void whatIsNoFrameIsRefusedByName(String hex) {
    ByteBuffer wire = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    assertThatThrownBy(() -> FrameCodec.parse(wire))
        .isInstanceOfSatisfying(
            ProtocolViolation.class, e -> assertThat(e.reason()).isEqualTo(Reason.MALFORMED));
  }

  /** Whatever comes is a frame, an incomplete one or a violation; nothing else is thrown. */
  @Test
  void fuzzedOctetsAreFramesOrViolations() {
    SplittableRandom random = new SplittableRandom(1);
    List<Frame> seeds = frames().toList();
    int parsed = 0;
    for (int round = 0; round < 50_000; round++) {
      ByteBuffer seed = wire(seeds.get(random.nextInt(seeds.size())));
      byte[] octets = new byte[Math.min(seed.remaining(), 512)];
      seed.get(octets);
      for (int change = random.nextInt(4); change >= 0; change--) {
        octets[random.nextInt(Math.min(octets.length, 40))] = (byte) random.nextInt();
      }
      parsed += frames(ByteBuffer.wrap(octets));
    }
    assertThat(parsed).isPositive();
  }

  private static int frames(ByteBuffer in) {
    int count = 0;
    try {
      for (@Nullable Frame frame = FrameCodec.parse(in);
          frame != null;
          frame = FrameCodec.parse(in)) {
        count++;
      }
    } catch (ProtocolViolation e) {
      assertThat(e.reason()).isEqualTo(Reason.MALFORMED);
    }
    return count;
  }
}
