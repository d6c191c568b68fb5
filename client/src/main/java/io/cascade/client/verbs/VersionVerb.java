package io.cascade.client.verbs;

import io.cascade.command.Version;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "version",
    mixinStandardHelpOptions = true,
    description = "Print the version of Cascade and of the Java that it runs on.")
public final class VersionVerb implements Callable<Integer> {
  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    Running running =
        new Running(
            Version.text(),
            System.getProperty("java.version", "unknown"),
            System.getProperty("java.vm.name", "unknown"));
    if (output.json()) {
      output.document(running);
    } else {
      output
          .out()
          .println("cascade %s (Java %s, %s)".formatted(running.cascade, running.java, running.vm));
      output.out().flush();
    }
    return 0;
  }

  /** The JSON document. */
  record Running(String cascade, String java, String vm) {}
}
