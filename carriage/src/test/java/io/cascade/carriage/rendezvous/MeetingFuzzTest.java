package io.cascade.carriage.rendezvous;

import io.cascade.testing.FuzzTest;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.stream.Stream;

/** What ends and the relay that joins them say to each other. */
class MeetingFuzzTest extends FuzzTest {
  private static final MeetingNumber NUMBER = MeetingNumber.of(new byte[MeetingNumber.BYTES]);
  private static final InetSocketAddress PEER = new InetSocketAddress("10.0.0.1", 7);

  @Override
  protected Stream<byte[]> seeds() {
    AddressQuestion question = new AddressQuestion(0x1122334455667788L, NUMBER);
    return Stream.of(
            MeetingRequest.toWait(NUMBER, 3).encode(),
            MeetingRequest.toJoin(NUMBER).encode(),
            new MeetingAnswer.Waiting().encode(),
            new MeetingAnswer.Joined(PEER).encode(),
            new MeetingAnswer.Joined(new InetSocketAddress("2001:db8::1", 7)).encode(),
            new MeetingAnswer.Refused(MeetingRefusal.FULL).encode(),
            question.encode(),
            question.answer(PEER))
        .map(ByteBuffer::array);
  }

  @Override
  protected void parse(byte[] input) {
    ByteBuffer in = ByteBuffer.wrap(input);
    try {
      MeetingRequest request = MeetingRequest.decode(in);
      if (request == null) {
        require(in.position() == 0, "a part of a request is not consumed");
      } else {
        same(request, MeetingRequest.decode(request.encode()));
      }
    } catch (MalformedMeeting e) {
      // As declared.
    }
    try {
      MeetingAnswer answer = MeetingAnswer.decode(ByteBuffer.wrap(input));
      same(answer, MeetingAnswer.decode(answer.encode()));
    } catch (MalformedMeeting e) {
      // As declared.
    }
    AddressQuestion question = AddressQuestion.decode(ByteBuffer.wrap(input));
    if (question != null) {
      same(question, AddressQuestion.decode(question.encode()));
    }
    AddressQuestion.Answer answer = AddressQuestion.answered(ByteBuffer.wrap(input));
    if (answer != null) {
      ByteBuffer again = new AddressQuestion(answer.transaction(), NUMBER).answer(answer.seen());
      same(answer, AddressQuestion.answered(again));
    }
  }
}
