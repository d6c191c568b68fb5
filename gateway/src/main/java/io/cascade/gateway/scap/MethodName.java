package io.cascade.gateway.scap;

import io.cascade.packets.signalling.SignallingMethod;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Methods by their names on the command line. */
final class MethodName implements ITypeConverter<SignallingMethod> {
  @Override
  public SignallingMethod convert(String value) {
    for (SignallingMethod method : SignallingMethod.values()) {
      if (method.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(value)) {
        return method;
      }
    }
    throw new TypeConversionException(
        "'" + value + "' (expected: none, in-band, out-of-band or hybrid)");
  }
}
