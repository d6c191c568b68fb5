package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

final class HostPortConverter implements ITypeConverter<HostPort> {
  @Override
  public HostPort convert(String value) {
    try {
      return HostPort.parse(value);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
