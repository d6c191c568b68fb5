package io.cascade.command;

import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Converter for picocli by a parser whose {@link IllegalArgumentException} names what is expected.
 *
 * @param <T> what is parsed
 */
public abstract class ParsedOption<T> implements ITypeConverter<T> {
  private final Function<String, T> parser;

  protected ParsedOption(Function<String, T> parser) {
    this.parser = parser;
  }

  @Override
  public final T convert(String value) {
    try {
      return parser.apply(value);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  /**
   * Creates a parser of the names of an enum's constants, in lower case and with hyphens.
   *
   * @param names as they are listed in an error
   */
  protected static <E extends Enum<E>> Function<String, E> constant(Class<E> type, String names) {
    return value -> {
      try {
        return Enum.valueOf(type, value.strip().toUpperCase(Locale.ROOT).replace('-', '_'));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("'%s' (expected: %s)".formatted(value, names), e);
      }
    };
  }
}
