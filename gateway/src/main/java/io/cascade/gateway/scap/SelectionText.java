package io.cascade.gateway.scap;

import io.cascade.command.TimeSpan;
import io.cascade.packets.pipes.PipeSelection;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Which pipes a connection gets, as people write it: {@code difference=100ms,loss=2%,most=2}. */
final class SelectionText implements ITypeConverter<PipeSelection> {
  /**
   * @throws IllegalArgumentException naming what is expected
   */
  static PipeSelection parse(String text) {
    if (text.equals("all")) {
      return new PipeSelection.All();
    }
    List<PipeSelection> policies = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      String value = part.substring(equals + 1);
      policies.add(
          switch (equals < 0 ? "" : part.substring(0, equals)) {
            case "difference" ->
                new PipeSelection.ByDelayDifference(
                    Math.round(TimeSpan.parse(value).seconds() * 1e9));
            case "loss" -> new PipeSelection.ByLoss(PipeSpec.percent(value));
            case "most" -> new PipeSelection.AtMost(count(value));
            default ->
                throw new IllegalArgumentException(
                    "'" + part + "' (expected: all, difference=TIME, loss=SHARE or most=N)");
          });
    }
    return new PipeSelection.InTurn(policies);
  }

  private static int count(String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + value + "' (expected: a number of pipes)", e);
    }
  }

  @Override
  public PipeSelection convert(String value) {
    try {
      return parse(value);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
