package io.cascade.gateway.scap;

import io.cascade.command.ParsedOption;
import io.cascade.packets.signalling.SignallingMethod;

/** Parses methods by their names on the command line. */
final class MethodName extends ParsedOption<SignallingMethod> {
  MethodName() {
    super(constant(SignallingMethod.class, "none, in-band, out-of-band or hybrid"));
  }
}
