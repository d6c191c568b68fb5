package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.client.sealed.Code;
import io.cascade.client.sealed.Secret;
import java.security.SecureRandom;
import java.util.function.Consumer;

/**
 * Codes of a receiver, one after the other: printed, since people pass them on. From any thread:
 * what is kept is the code that is valid.
 */
final class Invitation {
  private final SecureRandom random = new SecureRandom();
  private final Consumer<Code> print;
  private final Output output;
  private final KeptCode kept;
  private volatile Code code;

  /**
   * @param at where senders find the receiver
   * @param meets whether that is a relay at which they meet it
   * @param kept of the process before
   * @param print given each code
   */
  Invitation(HostPort at, boolean meets, KeptCode kept, Consumer<Code> print, Output output) {
    this.print = print;
    this.output = output;
    this.kept = kept;
    this.code =
        kept.found()
            .filter(found -> found.meeting().isEmpty() != meets)
            .orElseGet(() -> meets ? Code.randomMeeting(at, random) : Code.random(at, random));
  }

  /** The one that is valid. */
  Code code() {
    return code;
  }

  /** Prints the first one. */
  synchronized void open() {
    keep();
    print.accept(code);
  }

  private void keep() {
    String why = kept.keep(code);
    if (why != null) {
      output.note("after a restart receive will have another code: " + why);
    }
  }

  /**
   * A transfer has ended.
   *
   * @param arrived whether well
   * @param last whether the receiver ends with it, and so the validity of a code that did its work
   */
  synchronized void ended(boolean arrived, boolean last) {
    if (!arrived) {
      kept.broke();
    } else if (last) {
      kept.forget();
    } // Else another one may have broken off, whose sender comes again.
  }

  /** Another one, since somebody tried a wrong code. */
  synchronized Secret next(String from) {
    code = code.another(random);
    keep();
    output.note("cascade receive: somebody at %s tried a wrong code; it is void".formatted(from));
    print.accept(code);
    return Secret.of(code);
  }
}
