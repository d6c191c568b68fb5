package io.cascade.relay.conformance;

import java.util.List;

/** What one side of a connection does. */
sealed interface Action {
  /** Sends the side's next bytes. */
  record Send(int bytes, int piece) implements Action {
    @Override
    public String toString() {
      return "send(" + bytes + (piece == bytes ? "" : ", " + piece) + ")";
    }
  }

  /** Sends the side's next byte as urgent data. */
  record SendUrgent() implements Action {
    @Override
    public String toString() {
      return "sendUrgent()";
    }
  }

  /** Sends until the connection breaks. */
  record SendUntilBroken() implements Action {
    @Override
    public String toString() {
      return "sendUntilBroken()";
    }
  }

  /** Sends no more (FIN). */
  record HalfClose() implements Action {
    @Override
    public String toString() {
      return "halfClose()";
    }
  }

  /** Closes, as a program does that forgets about the connection. */
  record Close() implements Action {
    @Override
    public String toString() {
      return "close()";
    }
  }

  /** Closes with a reset (SO_LINGER 0). */
  record Reset() implements Action {
    @Override
    public String toString() {
      return "reset()";
    }
  }

  /** Reads just so many bytes. */
  record Read(int bytes, int piece) implements Action {
    @Override
    public String toString() {
      return "read(" + bytes + (piece == bytes ? "" : ", " + piece) + ")";
    }
  }

  /** Waits until so many bytes could be read, and leaves them. */
  record Peek(int bytes) implements Action {
    @Override
    public String toString() {
      return "peek(" + bytes + ")";
    }
  }

  /**
   * Reads until the end, whichever it is.
   *
   * @param least where the end is a reset: bytes that have to come before it
   */
  record ReadToEnd(int least) implements Action {
    @Override
    public String toString() {
      return "readToEnd(" + least + ")";
    }
  }

  /** Reads nothing until the other side cannot send any more, or has sent what it wanted to. */
  record Stall() implements Action {
    @Override
    public String toString() {
      return "stall()";
    }
  }

  /** Lets the other side know that this one has come so far. */
  record Mark(String name) implements Action {
    @Override
    public String toString() {
      return "mark(\"" + name + "\")";
    }
  }

  /** Waits until the other side has come so far. */
  record Await(String mark) implements Action {
    @Override
    public String toString() {
      return "await(\"" + mark + "\")";
    }
  }

  /** Does this beside what follows. */
  record Meanwhile(List<Action> actions) implements Action {
    @Override
    public String toString() {
      String all = actions.toString();
      return "meanwhile(" + all.substring(1, all.length() - 1) + ")";
    }
  }

  static Action send(int bytes) {
    return new Send(bytes, Math.max(1, bytes));
  }

  static Action send(int bytes, int piece) {
    return new Send(bytes, piece);
  }

  static Action sendUrgent() {
    return new SendUrgent();
  }

  static Action sendUntilBroken() {
    return new SendUntilBroken();
  }

  static Action halfClose() {
    return new HalfClose();
  }

  static Action close() {
    return new Close();
  }

  static Action reset() {
    return new Reset();
  }

  static Action read(int bytes) {
    return new Read(bytes, Math.max(1, bytes));
  }

  static Action read(int bytes, int piece) {
    return new Read(bytes, piece);
  }

  static Action peek(int bytes) {
    return new Peek(bytes);
  }

  static Action readToEnd() {
    return new ReadToEnd(0);
  }

  static Action readToEnd(int least) {
    return new ReadToEnd(least);
  }

  static Action stall() {
    return new Stall();
  }

  static Action mark(String name) {
    return new Mark(name);
  }

  static Action await(String mark) {
    return new Await(mark);
  }

  static Action meanwhile(Action... actions) {
    return new Meanwhile(List.of(actions));
  }
}
