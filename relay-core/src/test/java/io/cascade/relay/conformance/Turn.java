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

import java.util.ArrayList;
import java.util.List;

/**
 * A part of a random script that is well defined by itself: what both sides do in it, after which
 * everything that was sent has been read. "One" side is whichever {@code byClient} says.
 */
sealed interface Turn {
  String BEFORE_RESET = "before the reset";

  boolean byClient();

  /** One side sends, the other reads it. */
  record Transfer(boolean byClient, int bytes, int piece, int readPiece) implements Turn {}

  /** Both send, and then both read; little enough for the buffers between. */
  record Crossing(boolean byClient, int bytes, int otherBytes) implements Turn {}

  /** One side sends a byte as urgent data, the other reads it. */
  record Urgent(boolean byClient) implements Turn {}

  /** One side sends more than is read at once. */
  record Stalled(boolean byClient, int bytes) implements Turn {}

  /** One side sends no more, and the other sees that. */
  record End(boolean byClient) implements Turn {}

  /** The last turn: both directions come to their end while both sides may still send. */
  record Finish(boolean byClient, int bytes, int otherBytes) implements Turn {}

  /**
   * The last turn: one side resets, with bytes of its own still on the way. What it had sent or
   * ended before has been seen by then: a reset may overtake that, directly, too.
   */
  record Break(boolean byClient, int bytes) implements Turn {}

  /** The last turn: one side closes with bytes unread. */
  record Ignore(boolean byClient, int otherBytes) implements Turn {}

  /** The last turn: one side closes and the other sends on. */
  record Abandon(boolean byClient) implements Turn {}

  /** The script of some turns; those that are impossible where they stand are left out. */
  static Script script(String name, List<Turn> turns) {
    Writing client = new Writing();
    Writing server = new Writing();
    for (Turn turn : turns) {
      Writing one = turn.byClient() ? client : server;
      Writing other = turn.byClient() ? server : client;
      if (!client.over) {
        write(turn, one, other);
      }
    }
    if (!client.over) {
      write(new Finish(true, 0, 0), client, server);
    }
    return new Script(name, List.copyOf(client.actions), List.copyOf(server.actions));
  }

  private static void write(Turn turn, Writing one, Writing other) {
    boolean last = false;
    switch (turn) {
      case Transfer transfer when one.open -> {
        one.does(send(transfer.bytes, transfer.piece));
        other.does(read(transfer.bytes, transfer.readPiece));
      }
      case Crossing crossing when one.open && other.open -> {
        one.does(send(crossing.bytes), read(crossing.otherBytes));
        other.does(send(crossing.otherBytes), read(crossing.bytes));
      }
      case Urgent _ when one.open -> {
        one.does(sendUrgent());
        other.does(read(1));
      }
      case Stalled stalled when one.open -> {
        one.does(send(stalled.bytes));
        other.does(stall(), read(stalled.bytes));
      }
      case End _ when one.open -> {
        one.does(halfClose());
        other.does(readToEnd());
        one.open = false;
      }
      case Finish finish -> {
        finish(one, finish.bytes);
        finish(other, finish.otherBytes);
        last = true;
      }
      case Break abrupt when one.actions.isEmpty() -> {
        // Before the first byte has come through, the other side need not hear of it at all.
        write(new Transfer(abrupt.byClient, 1, 1, 1), one, other);
        write(abrupt, one, other);
      }
      case Break abrupt when one.open -> {
        other.does(mark(BEFORE_RESET));
        one.does(await(BEFORE_RESET), send(abrupt.bytes), reset());
        other.does(readToEnd());
        last = true;
      }
      case Break _ when other.open -> {
        other.does(mark(BEFORE_RESET), sendUntilBroken());
        one.does(await(BEFORE_RESET), reset());
        last = true;
      }
      case Ignore ignore when one.open && other.open -> {
        one.does(read(1), peek(ignore.otherBytes - 1), close());
        other.does(send(ignore.otherBytes), readToEnd());
        last = true;
      }
      case Abandon _ when one.open && other.open -> {
        one.does(close());
        other.does(readToEnd(), sendUntilBroken());
        last = true;
      }
      case Transfer _, Crossing _, Urgent _, Stalled _, End _, Break _, Ignore _, Abandon _ -> {}
    }
    one.over |= last;
    other.over |= last;
  }

  private static void finish(Writing side, int bytes) {
    if (side.open) {
      side.does(meanwhile(send(bytes), halfClose()));
    }
    side.does(readToEnd());
  }

  /** One side's part as far as it is written. */
  final class Writing {
    private final List<Action> actions = new ArrayList<>();
    private boolean open = true;
    private boolean over;

    private void does(Action... next) {
      actions.addAll(List.of(next));
    }
  }
}
