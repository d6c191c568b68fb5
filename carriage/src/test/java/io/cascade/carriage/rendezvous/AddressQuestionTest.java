package io.cascade.carriage.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How an end learns from which address its datagrams come. */
class AddressQuestionTest {
  private static final AddressQuestion QUESTION =
      new AddressQuestion(0x8102030405060708L, MeetingNumber.of(new byte[MeetingNumber.BYTES]));

  @Test
  void aQuestionIsReadAsItWasWritten() {
    assertThat(AddressQuestion.decode(QUESTION.encode())).isEqualTo(QUESTION);
  }

  @ParameterizedTest
  @ValueSource(strings = {"192.0.2.7", "2001:db8::7"})
  void anAnswerTellsTheAddressAndIsShorterThanItsQuestion(String host) throws Exception {
    InetSocketAddress seen = new InetSocketAddress(InetAddress.getByName(host), 51_820);

    ByteBuffer answer = QUESTION.answer(seen);

    assertThat(answer.remaining()).isLessThan(AddressQuestion.BYTES);
    assertThat(AddressQuestion.answered(answer))
        .isEqualTo(new AddressQuestion.Answer(QUESTION.transaction(), seen));
  }

  @Test
  void anAnswerDoesNotHaveTheAddressInClear() throws Exception {
    InetSocketAddress seen = new InetSocketAddress(InetAddress.getByName("10.1.2.3"), 7);

    byte[] answer = QUESTION.answer(seen).array();

    assertThat(answer).doesNotContain(10, answer.length - 4);
  }

  @Test
  void anythingElseIsNeither() {
    ByteBuffer longer = ByteBuffer.allocate(AddressQuestion.BYTES + 1);
    longer.put(QUESTION.encode()).rewind();
    byte[] version = QUESTION.encode().array();
    version[1] = 2;

    assertThat(AddressQuestion.decode(longer)).isNull();
    assertThat(AddressQuestion.decode(ByteBuffer.wrap(version))).isNull();
    assertThat(AddressQuestion.decode(ByteBuffer.allocate(0))).isNull();
    assertThat(AddressQuestion.answered(QUESTION.encode())).isNull();
    assertThat(AddressQuestion.answered(ByteBuffer.allocate(0))).isNull();
    assertThat(AddressQuestion.answered(ByteBuffer.allocate(16))).isNull();
  }
}
