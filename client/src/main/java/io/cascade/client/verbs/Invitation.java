package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.client.sealed.Code;
import io.cascade.client.sealed.Secret;
import java.security.SecureRandom;
import java.util.function.Consumer;

/** Codes of a receiver, one after the other: printed, since people pass them on. */
final class Invitation {
  private final SecureRandom random = new SecureRandom();
  private final Consumer<Code> print;
  private final Output output;
  private volatile Code code;

  /**
   * @param at where senders find the receiver
   * @param meets whether that is a relay at which they meet it
   * @param print given each code
   */
  Invitation(HostPort at, boolean meets, Consumer<Code> print, Output output) {
    this.print = print;
    this.output = output;
    this.code = meets ? Code.randomMeeting(at, random) : Code.random(at, random);
  }

  /** The one that is valid. */
  Code code() {
    return code;
  }

  /** Prints the first one. */
  void open() {
    print.accept(code);
  }

  /** Another one, since somebody tried a wrong code. */
  Secret next(String from) {
    code = code.another(random);
    output.note("cascade receive: somebody at %s tried a wrong code; it is void".formatted(from));
    print.accept(code);
    return Secret.of(code);
  }
}
