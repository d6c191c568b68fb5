package io.cascade.client.ways;

import java.util.function.Consumer;

/** Reports why something is retried, without repeating a reason in a row. */
final class RetryNotes {
  private final Consumer<String> notes;
  private String told = "";

  RetryNotes(Consumer<String> notes) {
    this.notes = notes;
  }

  void tell(Exception failure) {
    String why = String.valueOf(failure.getMessage());
    if (!why.equals(told)) {
      notes.accept(why + "; trying again");
    }
    told = why;
  }
}
