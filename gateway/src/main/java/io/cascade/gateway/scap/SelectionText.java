package io.cascade.gateway.scap;

import io.cascade.command.ParsedOption;
import io.cascade.command.TimeSpan;
import io.cascade.packets.pipes.PipeSelection;
import java.util.ArrayList;
import java.util.List;

/**
 * Selection of a connection's pipes in a user's notation: {@code difference=100ms,loss=2%,most=2},
 * and by its ends {@code 10.1.0.0/16:most=1;all}.
 */
final class SelectionText extends ParsedOption<PipeSelection> {
  SelectionText() {
    super(SelectionText::parse);
  }

  /**
   * @throws IllegalArgumentException naming what is expected
   */
  static PipeSelection parse(String text) {
    int colon = text.indexOf(':');
    if (colon >= 0) {
      int end = text.indexOf(';');
      return new PipeSelection.ByEndpoint(
          Ipv4PrefixText.prefix(text.substring(0, colon)),
          parse(text.substring(colon + 1, end < colon ? text.length() : end)),
          end < colon ? new PipeSelection.All() : parse(text.substring(end + 1)));
    }
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
                    "'"
                        + part
                        + "' (expected: all, difference=TIME, loss=SHARE, most=N or"
                        + " PREFIX:POLICY;POLICY)");
          });
    }
    return new PipeSelection.InTurn(policies);
  }

  /** The text that {@link #parse} reads. */
  static String text(PipeSelection selection) {
    return switch (selection) {
      case PipeSelection.All() -> "all";
      case PipeSelection.ByDelayDifference(long most) -> "difference=" + most / 1e6 + "ms";
      case PipeSelection.ByLoss(double most) -> "loss=" + 100 * most + "%";
      case PipeSelection.AtMost(int count) -> "most=" + count;
      case PipeSelection.InTurn(List<PipeSelection> policies) ->
          String.join(",", policies.stream().map(SelectionText::text).toList());
      case PipeSelection.ByEndpoint(var prefix, var within, var elsewhere) ->
          "%s:%s;%s".formatted(prefix, text(within), text(elsewhere));
    };
  }

  private static int count(String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + value + "' (expected: a number of pipes)", e);
    }
  }
}
