package io.cascade.carriage.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.testing.Golden;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages come back as they were sent, and nothing else is taken for one. */
class MeetingMessagesTest {
  private static final int RANDOM_MESSAGES = 200_000;
  private static final MeetingNumber NUMBER = number(7);

  /** The whole exchange of an end that waits, one that joins, and both that ask for an address. */
  @Test
  @Tag(Golden.TAG)
  void theBytesOfTheExchangeStayAsTheyAre() throws UnknownHostException {
    StringBuilder text = new StringBuilder();
    add(text, "wait", MeetingRequest.toWait(NUMBER, 2).encode());
    add(text, "join", MeetingRequest.toJoin(NUMBER).encode());
    add(text, "waiting", new MeetingAnswer.Waiting().encode());
    for (String host : List.of("192.0.2.7", "2001:db8::7")) {
      InetSocketAddress peer = new InetSocketAddress(InetAddress.getByName(host), 40_000);
      add(text, "joined", new MeetingAnswer.Joined(peer).encode());
    }
    for (MeetingRefusal why : MeetingRefusal.values()) {
      add(text, "refused " + why, new MeetingAnswer.Refused(why).encode());
    }
    AddressQuestion question = new AddressQuestion(0x0102030405060708L, NUMBER);
    add(text, "question", question.encode());
    for (String host : List.of("192.0.2.7", "2001:db8::7")) {
      InetSocketAddress seen = new InetSocketAddress(InetAddress.getByName(host), 40_000);
      add(text, "answer", question.answer(seen));
    }
    Golden.check("wire/rendezvous.txt", text.toString());
  }

  private static void add(StringBuilder text, String what, ByteBuffer message) {
    byte[] bytes = new byte[message.remaining()];
    message.get(bytes);
    text.append(what).append(' ').append(HexFormat.of().formatHex(bytes)).append('\n');
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 64})
  void aRequestToWaitComesBackAsItWasSent(int places) throws MalformedMeeting {
    MeetingRequest sent = MeetingRequest.toWait(NUMBER, places);
    assertThat(MeetingRequest.decode(sent.encode())).isEqualTo(sent);
  }

  @Test
  void aRequestToJoinComesBackAsItWasSentAndLeavesWhatIsBehindIt() throws MalformedMeeting {
    MeetingRequest sent = MeetingRequest.toJoin(NUMBER);
    ByteBuffer both = ByteBuffer.allocate(100).put(sent.encode()).put(new byte[] {1, 2, 3}).flip();
    assertThat(MeetingRequest.decode(both)).isEqualTo(sent);
    assertThat(both.remaining()).isEqualTo(3);
  }

  @Test
  void aRequestThatIsNotWholeConsumesNothing() throws MalformedMeeting {
    byte[] whole = MeetingRequest.toJoin(NUMBER).encode().array();
    for (int length = 0; length < whole.length; length++) {
      ByteBuffer part = ByteBuffer.wrap(whole, 0, length);
      assertThat(MeetingRequest.decode(part)).isNull();
      assertThat(part.remaining()).isEqualTo(length);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET / HTTP/1.1", "C4", "CASCMEE\0"})
  void whatBeginsOtherwiseIsRefusedAtOnce(String other) {
    assertThatThrownBy(() -> MeetingRequest.decode(ByteBuffer.wrap(other.getBytes())))
        .isInstanceOf(MalformedMeeting.class);
  }

  @ParameterizedTest
  @CsvSource({
    "another version, 8, 2",
    "no role, 9, 0",
    "an unknown role, 9, 3",
    "no places, 10, 0",
    "too many places, 10, 65",
    "places below zero, 10, -1",
    "a reserved byte, 11, 1"
  })
  void aRequestWithAFieldOutOfItsRangeIsRefused(String what, int at, int value) {
    byte[] bytes = MeetingRequest.toWait(NUMBER, 1).encode().array();
    bytes[at] = (byte) value;
    assertThatThrownBy(() -> MeetingRequest.decode(ByteBuffer.wrap(bytes)))
        .as(what)
        .isInstanceOf(MalformedMeeting.class);
  }

  @Test
  void anEndThatJoinsHasNoPlaces() {
    byte[] bytes = MeetingRequest.toJoin(NUMBER).encode().array();
    bytes[10] = 1;
    assertThatThrownBy(() -> MeetingRequest.decode(ByteBuffer.wrap(bytes)))
        .isInstanceOf(MalformedMeeting.class);
  }

  /** Every byte string is taken whole, or is too short, or is refused; and never read beyond. */
  @Test
  void randomRequestsAreReadOrRefused() {
    Random random = new Random(1);
    byte[] template = MeetingRequest.toWait(NUMBER, 3).encode().array();
    for (int i = 0; i < RANDOM_MESSAGES; i++) {
      byte[] bytes = Arrays.copyOf(template, random.nextInt(60));
      for (int changes = random.nextInt(4); changes > 0 && bytes.length > 0; changes--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      ByteBuffer in = ByteBuffer.wrap(bytes);
      try {
        MeetingRequest read = MeetingRequest.decode(in);
        if (read != null) {
          assertThat(read.encode().array()).isEqualTo(Arrays.copyOf(bytes, MeetingRequest.BYTES));
        } else {
          assertThat(in.remaining()).isEqualTo(bytes.length);
        }
      } catch (MalformedMeeting e) {
        assertThat(e).hasMessageNotContaining("\n");
      }
    }
  }

  static Stream<MeetingAnswer> answers() throws UnknownHostException {
    return Stream.concat(
        Stream.of(
            new MeetingAnswer.Waiting(),
            new MeetingAnswer.Joined(address("192.0.2.1", 65_535)),
            new MeetingAnswer.Joined(address("2001:db8::1", 1)),
            new MeetingAnswer.Refused(MeetingRefusal.OTHER, "")),
        Stream.of(MeetingRefusal.values()).map(MeetingAnswer.Refused::new));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void anAnswerComesBackAsItWasSent(MeetingAnswer sent) throws MalformedMeeting {
    ByteBuffer bytes = sent.encode();
    assertThat(MeetingAnswer.bodyBytes(bytes))
        .isEqualTo(bytes.remaining() - MeetingAnswer.HEAD_BYTES);
    assertThat(MeetingAnswer.decode(bytes)).isEqualTo(sent);
  }

  @Test
  void aReasonThatIsNotKnownYetIsAnotherOne() throws MalformedMeeting {
    ByteBuffer bytes = new MeetingAnswer.Refused(MeetingRefusal.FULL, "why").encode();
    bytes.put(1, (byte) 99);
    assertThat(MeetingAnswer.decode(bytes))
        .isEqualTo(new MeetingAnswer.Refused(MeetingRefusal.OTHER, "why"));
  }

  @Test
  void wordsThatATerminalWouldObeyAreRefused() {
    ByteBuffer bytes = new MeetingAnswer.Refused(MeetingRefusal.FULL, "no[2J").encode();
    bytes.put(MeetingAnswer.HEAD_BYTES + 1, (byte) 0x1B);
    assertThatThrownBy(() -> MeetingAnswer.decode(bytes)).isInstanceOf(MalformedMeeting.class);
  }

  @Test
  void randomAnswersAreReadOrRefused() throws UnknownHostException {
    Random random = new Random(2);
    List<MeetingAnswer> all = answers().toList();
    for (int i = 0; i < RANDOM_MESSAGES; i++) {
      byte[] whole = all.get(random.nextInt(all.size())).encode().array();
      byte[] bytes = Arrays.copyOf(whole, random.nextInt(whole.length + 3));
      for (int changes = random.nextInt(4); changes > 0 && bytes.length > 0; changes--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        assertThat(MeetingAnswer.decode(ByteBuffer.wrap(bytes))).isNotNull();
      } catch (MalformedMeeting e) {
        assertThat(e).hasMessageNotContaining("\n");
      }
    }
  }

  @Test
  void aNumberIsNotPrinted() {
    assertThat(MeetingRequest.toJoin(NUMBER).toString()).doesNotContain("7");
  }

  private static MeetingNumber number(int fill) {
    byte[] bytes = new byte[MeetingNumber.BYTES];
    Arrays.fill(bytes, (byte) fill);
    return MeetingNumber.of(bytes);
  }

  private static InetSocketAddress address(String host, int port) throws UnknownHostException {
    return new InetSocketAddress(InetAddress.getByName(host), port);
  }
}
