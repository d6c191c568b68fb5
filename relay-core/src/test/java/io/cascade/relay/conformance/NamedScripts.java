package io.cascade.relay.conformance;

import static io.cascade.relay.conformance.Action.await;
import static io.cascade.relay.conformance.Action.close;
import static io.cascade.relay.conformance.Action.halfClose;
import static io.cascade.relay.conformance.Action.mark;
import static io.cascade.relay.conformance.Action.meanwhile;
import static io.cascade.relay.conformance.Action.peek;
import static io.cascade.relay.conformance.Action.read;
import static io.cascade.relay.conformance.Action.readToEnd;
import static io.cascade.relay.conformance.Action.reset;
import static io.cascade.relay.conformance.Action.send;
import static io.cascade.relay.conformance.Action.sendUntilBroken;
import static io.cascade.relay.conformance.Action.sendUrgent;
import static io.cascade.relay.conformance.Action.stall;
import static io.cascade.relay.conformance.Script.script;

import java.util.List;
import java.util.stream.Stream;

/** The situations that have names. */
final class NamedScripts {
  private static final int LITTLE = 1_000;
  private static final int MUCH = 700_000;

  /**
   * The client reads nothing before it has sent everything. Small segments can fill its receive
   * buffer before its window is used up; Linux (6.18) then takes the window back, drops the peer's
   * acknowledgements as out of the window, and both sides wait for ever. A direct connection does
   * so, too: two processes that write 1 to 65,536 bytes at a time got stuck once in 1,500 runs.
   */
  static final Script ANSWER_BEFORE_THE_END_OF_THE_QUESTION =
      script("the answer begins before the question has ended")
          .client(send(LITTLE), read(LITTLE), send(MUCH), halfClose(), readToEnd())
          .server(read(LITTLE), send(LITTLE), meanwhile(send(MUCH), halfClose()), readToEnd());

  private NamedScripts() {}

  static List<Script> all() {
    return Stream.of(orderlyEnds(), conversations(), windows(), resets(), closes(), urgent())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Script> orderlyEnds() {
    return List.of(
        script("nothing is sent and both close")
            .client(halfClose(), readToEnd())
            .server(halfClose(), readToEnd()),
        script("the client finishes first")
            .client(send(LITTLE), halfClose(), readToEnd())
            .server(readToEnd(), send(LITTLE), halfClose()),
        script("the server finishes first")
            .client(readToEnd(), send(LITTLE), halfClose())
            .server(send(LITTLE), halfClose(), readToEnd()),
        script("both finish without having read")
            .client(send(LITTLE), halfClose(), await("finished"), readToEnd())
            .server(send(LITTLE), halfClose(), mark("finished"), readToEnd()),
        script("the client finishes without a byte and is answered")
            .client(halfClose(), readToEnd())
            .server(readToEnd(), send(MUCH), halfClose()),
        script("the server finishes without a byte and is told")
            .client(readToEnd(), send(MUCH), halfClose())
            .server(halfClose(), readToEnd()),
        script("one byte each way")
            .client(send(1), halfClose(), readToEnd())
            .server(readToEnd(), send(1), halfClose()),
        script("the end follows the last byte at once")
            .client(send(MUCH), halfClose(), readToEnd())
            .server(readToEnd(), halfClose()),
        script("the server's end follows its last byte at once")
            .client(readToEnd(), halfClose())
            .server(send(MUCH), halfClose(), readToEnd()),
        script("much each way at once")
            .client(meanwhile(send(MUCH), halfClose()), readToEnd())
            .server(meanwhile(send(MUCH), halfClose()), readToEnd()),
        script("a long answer after the question has ended")
            .client(send(LITTLE), halfClose(), readToEnd())
            .server(readToEnd(), send(3 * MUCH, 5_000), halfClose()),
        script("a long upload after the server has finished")
            .client(readToEnd(), send(3 * MUCH, 5_000), halfClose())
            .server(halfClose(), readToEnd()),
        script("the client closes as soon as it has sent")
            .client(send(LITTLE), close())
            .server(readToEnd(), halfClose()),
        script("the client closes before anybody has accepted, with much on the way")
            .client(send(60_000), close())
            .server(readToEnd(), halfClose()),
        script("the server closes as soon as it has answered")
            .client(readToEnd(), halfClose())
            .server(send(LITTLE), close()));
  }

  private static List<Script> conversations() {
    Action[] asking = new Action[41];
    Action[] answering = new Action[41];
    for (int i = 0; i < 20; i++) {
      asking[2 * i] = send(64);
      asking[2 * i + 1] = read(64);
      answering[2 * i] = read(64);
      answering[2 * i + 1] = send(64);
    }
    asking[40] = halfClose();
    answering[40] = readToEnd();
    return List.of(
        script("twenty questions").client(asking).server(answering),
        script("the server speaks first")
            .client(read(100), send(LITTLE), read(100), halfClose(), readToEnd())
            .server(send(100), read(LITTLE), send(100), halfClose(), readToEnd()),
        script("questions of one byte, long answers")
            .client(send(1), read(MUCH), send(1), read(MUCH), halfClose(), readToEnd())
            .server(read(1), send(MUCH), read(1), send(MUCH), halfClose(), readToEnd()),
        script("long questions, answers of one byte")
            .client(send(MUCH), read(1), send(MUCH), read(1), halfClose(), readToEnd())
            .server(read(MUCH), send(1), read(MUCH), send(1), halfClose(), readToEnd()),
        script("a byte at a time")
            .client(send(LITTLE, 1), halfClose(), readToEnd())
            .server(readToEnd(), send(LITTLE, 1), halfClose()),
        script("read a byte at a time")
            .client(send(LITTLE), halfClose(), readToEnd())
            .server(read(LITTLE, 1), readToEnd(), halfClose()),
        ANSWER_BEFORE_THE_END_OF_THE_QUESTION,
        script("silence, and then on")
            .client(send(10), await("heard"), send(10), halfClose(), readToEnd())
            .server(read(10), mark("heard"), read(10), readToEnd(), halfClose()),
        script("odd sizes")
            .client(send(65_537, 4_097), halfClose(), readToEnd())
            .server(read(65_536, 8_191), readToEnd(), send(16_385, 1_449), halfClose()));
  }

  private static List<Script> windows() {
    return List.of(
        script("the server reads when the client cannot send any more")
            .client(meanwhile(send(12 * MUCH), halfClose()), readToEnd())
            .server(stall(), readToEnd(), halfClose()),
        script("the client reads when the server cannot send any more")
            .client(stall(), readToEnd(), halfClose())
            .server(meanwhile(send(12 * MUCH), halfClose()), readToEnd()),
        script("both stall")
            .client(meanwhile(send(8 * MUCH), halfClose()), stall(), readToEnd())
            .server(meanwhile(send(8 * MUCH), halfClose()), stall(), readToEnd()),
        script("the reader stops again and again")
            .client(meanwhile(send(12 * MUCH), halfClose()), readToEnd())
            .server(stall(), read(MUCH), stall(), read(MUCH), stall(), readToEnd(), halfClose()),
        script("the window shuts with the end already sent")
            .client(send(100_000), halfClose(), readToEnd())
            .server(stall(), readToEnd(), halfClose()),
        script("one direction stalls and the other goes on")
            .client(meanwhile(send(12 * MUCH), halfClose()), read(MUCH), mark("read"), readToEnd())
            .server(send(MUCH), await("read"), readToEnd(), halfClose()));
  }

  private static List<Script> resets() {
    return List.of(
        script("the client resets what was read")
            .client(send(LITTLE), await("read"), reset())
            .server(read(LITTLE), mark("read"), readToEnd()),
        script("the server resets what was read")
            .client(read(LITTLE), mark("read"), readToEnd())
            .server(send(LITTLE), await("read"), reset()),
        script("the client resets with bytes on the way")
            .client(send(LITTLE), await("read"), send(20_000), reset())
            .server(read(LITTLE), mark("read"), readToEnd()),
        script("the server resets with bytes on the way")
            .client(read(LITTLE), mark("read"), readToEnd())
            .server(send(LITTLE), await("read"), send(20_000), reset()),
        script("the client resets while the server sends")
            .client(read(MUCH), reset())
            .server(sendUntilBroken()),
        script("the server resets while the client sends")
            .client(sendUntilBroken())
            .server(read(MUCH), reset()),
        script("the client resets after its end")
            .client(send(LITTLE), halfClose(), read(LITTLE), await("sent"), reset())
            .server(readToEnd(), send(LITTLE), mark("sent"), sendUntilBroken()),
        script("the server resets after its end")
            .client(readToEnd(), send(LITTLE), mark("sent"), sendUntilBroken())
            .server(send(LITTLE), halfClose(), read(LITTLE), await("sent"), reset()),
        script("the server resets after the client's end")
            .client(send(LITTLE), halfClose(), readToEnd())
            .server(readToEnd(), reset()),
        script("the client resets after the server's end")
            .client(readToEnd(), reset())
            .server(send(LITTLE), halfClose(), readToEnd()),
        script("the server resets instead of answering")
            .client(send(1), readToEnd())
            .server(read(1), reset()),
        script("the client resets while nobody reads its bytes")
            .client(meanwhile(mark("begun"), send(LITTLE)), await("stalled"), reset())
            .server(stall(), mark("stalled"), readToEnd()),
        script("the server resets a stalled client")
            .client(sendUntilBroken())
            .server(stall(), reset()));
  }

  private static List<Script> closes() {
    return List.of(
        script("the server closes with bytes unread")
            .client(send(LITTLE), readToEnd())
            .server(read(1), peek(LITTLE - 1), close()),
        script("the client closes with bytes unread")
            .client(read(1), peek(LITTLE - 1), close())
            .server(send(LITTLE), readToEnd()),
        script("the server closes and the client sends on")
            .client(readToEnd(), sendUntilBroken())
            .server(send(LITTLE), close()),
        script("the client closes and the server sends on")
            .client(send(LITTLE), close())
            .server(readToEnd(), sendUntilBroken()),
        script("the server closes on a client that is sending")
            .client(sendUntilBroken())
            .server(read(MUCH), close()),
        script("the client closes on a server that is sending")
            .client(read(MUCH), close())
            .server(sendUntilBroken()));
  }

  private static List<Script> urgent() {
    return List.of(
        script("an urgent byte alone")
            .client(sendUrgent(), halfClose(), readToEnd())
            .server(readToEnd(), halfClose()),
        script("an urgent byte among others")
            .client(send(LITTLE), sendUrgent(), send(LITTLE), halfClose(), readToEnd())
            .server(readToEnd(), send(LITTLE), sendUrgent(), send(LITTLE), halfClose()),
        script("urgent bytes in a conversation")
            .client(sendUrgent(), read(1), send(LITTLE), sendUrgent(), read(1), halfClose())
            .server(read(1), sendUrgent(), read(LITTLE + 1), sendUrgent(), readToEnd()),
        script("an urgent byte to one who does not read")
            .client(send(30_000), sendUrgent(), send(30_000), halfClose(), readToEnd())
            .server(stall(), readToEnd(), halfClose()));
  }
}
