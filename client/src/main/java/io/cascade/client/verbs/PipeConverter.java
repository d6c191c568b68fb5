package io.cascade.client.verbs;

import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts the relays of a pipe: {@code a,b,z}. */
final class PipeConverter implements ITypeConverter<PipeConverter.Pipe> {
  /** A separate class, since picocli treats lists specially. */
  record Pipe(List<String> relays) {}

  @Override
  public Pipe convert(String text) {
    List<String> relays = List.of(text.split(",", -1));
    if (relays.size() < 2 || relays.stream().anyMatch(String::isBlank)) {
      throw new TypeConversionException(
          "'" + text + "' (expected: two relays or more, such as a,b,z)");
    }
    return new Pipe(relays);
  }
}
