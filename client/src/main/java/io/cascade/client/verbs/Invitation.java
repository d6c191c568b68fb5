package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.client.sealed.Code;
import io.cascade.client.sealed.Secret;
import java.security.SecureRandom;
import java.util.function.Consumer;

/** Codes of a receiver, one after the other: printed, since people pass them on. */
final class Invitation {
  private final SecureRandom random = new SecureRandom();
  private final HostPort at;
  private final Consumer<Code> print;
  private final Output output;
  private volatile Code code;

  /**
   * @param at where senders find the receiver
   * @param print given each code
   */
  Invitation(HostPort at, Consumer<Code> print, Output output) {
    this.at = at;
    this.print = print;
    this.output = output;
    this.code = Code.random(at, random);
  }

  /** The one that is valid. */
  Code code() {
    return code;
  }

  /** The first one. */
  Secret first() {
    print.accept(code);
    return Secret.of(code);
  }

  /** Another one, since somebody tried a wrong code. */
  Secret next(String from) {
    code = Code.random(at, random);
    output.note("cascade receive: somebody at %s tried a wrong code; it is void".formatted(from));
    print.accept(code);
    return Secret.of(code);
  }
}
