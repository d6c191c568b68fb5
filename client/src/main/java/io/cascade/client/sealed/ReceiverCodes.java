package io.cascade.client.sealed;

import io.cascade.api.HostPort;
import java.security.SecureRandom;
import java.util.function.Consumer;

/**
 * Codes of a receiver, one after the other. Each is printed, since people pass them on; the valid
 * one is stored. Thread-safe.
 */
public final class ReceiverCodes {
  private final SecureRandom random = new SecureRandom();
  private final Consumer<Code> print;
  private final Consumer<String> note;
  private final KeptCode kept;
  private volatile Code code;

  /**
   * @param at address of the receiver, or of the relay
   * @param meets whether senders meet the receiver at a relay
   * @param kept the stored code of the previous process
   * @param print given each code
   * @param note told when a code cannot be stored, and when one becomes void, a line each
   */
  public ReceiverCodes(
      HostPort at, boolean meets, KeptCode kept, Consumer<Code> print, Consumer<String> note) {
    this.print = print;
    this.note = note;
    this.kept = kept;
    this.code =
        kept.found()
            .filter(found -> found.meeting().isEmpty() != meets)
            .orElseGet(() -> meets ? Code.randomMeeting(at, random) : Code.random(at, random));
  }

  /** The valid code. */
  public Code code() {
    return code;
  }

  /** Prints the first code. */
  public synchronized void open() {
    keep();
    print.accept(code);
  }

  private void keep() {
    String why = kept.keep(code);
    if (why != null) {
      note.accept("after a restart receive will have another code: " + why);
    }
  }

  /**
   * A transfer has ended.
   *
   * @param arrived whether it succeeded
   * @param last whether the receiver ends with it, so that a code that was used successfully
   *     becomes invalid
   */
  public synchronized void ended(boolean arrived, boolean last) {
    if (!arrived) {
      kept.broke();
    } else if (last) {
      kept.forget();
    } // Otherwise another transfer may have been interrupted, whose sender will return.
  }

  /**
   * Replaces the code after a wrong guess.
   *
   * @param from the address of the sender that guessed
   */
  public synchronized Secret next(String from) {
    code = code.another(random);
    keep();
    note.accept(
        "cascade receive: a wrong code was tried from %s, so the code is invalidated"
            .formatted(from));
    print.accept(code);
    return Secret.of(code);
  }
}
