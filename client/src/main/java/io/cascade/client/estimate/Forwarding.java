package io.cascade.client.estimate;

import io.cascade.command.DataSize;
import io.cascade.model.cascade.RelayDiscipline;
import java.util.Locale;

/** Rule by which relays forward data: {@code pipelined}, {@code chunked:1MiB}, {@code store}. */
public record Forwarding(RelayDiscipline discipline) {

  /**
   * @throws IllegalArgumentException naming what is expected
   */
  public static Forwarding parse(String text) {
    String form = text.strip().toLowerCase(Locale.ROOT);
    if (form.equals("pipelined")) {
      return new Forwarding(RelayDiscipline.CUT_THROUGH);
    }
    if (form.equals("store")) {
      return new Forwarding(new RelayDiscipline.StoreAndForward());
    }
    if (form.startsWith("chunked:")) {
      long bytes = DataSize.parse(form.substring("chunked:".length())).bytes();
      if (bytes >= 1) {
        return new Forwarding(new RelayDiscipline.Chunked(bytes));
      }
    }
    throw new IllegalArgumentException(
        "'" + text + "' (expected: pipelined, chunked:SIZE such as chunked:1MiB, or store)");
  }
}
