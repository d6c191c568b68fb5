package io.cascade.client.verbs;

import io.cascade.api.Json;
import io.cascade.client.terminal.Table;
import io.cascade.command.OptionSection;
import io.cascade.command.Printable;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The output of a verb: text for people, or one JSON document and nothing else on stdout. */
@OptionSection("Orchestrator and output")
class Output {
  @SuppressWarnings("NullAway.Init")
  @Spec(Spec.Target.MIXEE)
  private CommandSpec mixee;

  @Option(names = "--json", description = "Print one JSON document on stdout and nothing else.")
  private boolean json;

  boolean json() {
    return json;
  }

  PrintWriter out() {
    return mixee.commandLine().getOut();
  }

  PrintWriter err() {
    return mixee.commandLine().getErr();
  }

  /** Prints a line for the user on a stream other than that of a document or result. */
  void note(String line) {
    err().println(Printable.line(line));
    err().flush();
  }

  void document(Object document) {
    out().println(Json.lenient().writerWithDefaultPrettyPrinter().writeValueAsString(document));
    out().flush();
  }

  /** Prints one of many documents, on a line of its own. */
  void documentLine(Object document) {
    out().println(Json.lenient().writeValueAsString(document));
    out().flush();
  }

  /**
   * Prints a table for people.
   *
   * @param none note that replaces an empty table
   */
  void table(Table table, String none) {
    if (table.isEmpty()) {
      note(none);
    } else {
      table.print(out());
    }
  }

  /**
   * Prints a document, or a table of its content for people.
   *
   * @param none note that replaces an empty table
   */
  void list(Object document, Table table, String none) {
    if (json) {
      document(document);
    } else {
      table(table, none);
    }
  }

  static String orDash(@Nullable Object value) {
    return value == null ? "-" : value.toString();
  }
}
