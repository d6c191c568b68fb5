package io.cascade.client.sealed;

import io.cascade.api.HostPort;
import java.security.SecureRandom;
import java.util.function.Consumer;

/**
 * Codes of a receiver, one after the other: printed, since people pass them on. What is kept is the
 * code that is valid. May be used by any thread.
 */
public final class ReceiverCodes {
  private final SecureRandom random = new SecureRandom();
  private final Consumer<Code> print;
  private final Consumer<String> note;
  private final KeptCode kept;
  private volatile Code code;

  /**
   * @param at where senders find the receiver
   * @param meets whether that is a relay at which they meet it
   * @param kept of the process before
   * @param print given each code
   * @param note told when a code cannot be kept, and when one is void, a line each
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

  /** The code that is valid. */
  public Code code() {
    return code;
  }

  /** Prints the first one. */
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
   * @param arrived whether well
   * @param last whether the receiver ends with it, and so the validity of a code that did its work
   */
  public synchronized void ended(boolean arrived, boolean last) {
    if (!arrived) {
      kept.broke();
    } else if (last) {
      kept.forget();
    } // Else another one may have broken off, whose sender comes again.
  }

  /**
   * Replaces the code, since somebody tried a wrong one.
   *
   * @param from the address of who did
   */
  public synchronized Secret next(String from) {
    code = code.another(random);
    keep();
    note.accept("cascade receive: somebody at %s tried a wrong code; it is void".formatted(from));
    print.accept(code);
    return Secret.of(code);
  }
}
