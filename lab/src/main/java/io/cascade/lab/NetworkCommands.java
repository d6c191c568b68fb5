package io.cascade.lab;

import io.cascade.command.CommandException;
import io.cascade.kernel.NetworkNamespace;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Runs lines of ip and tc in a network namespace. */
final class NetworkCommands {
  private NetworkCommands() {}

  /**
   * @param program ip or tc, with the options that precede the lines
   * @return its output
   */
  static String run(NetworkNamespace network, List<String> program, List<String> lines) {
    List<String> command = new ArrayList<>(program);
    command.addAll(List.of("-batch", "-"));
    return network.call(() -> {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      try (Writer input = process.outputWriter(StandardCharsets.UTF_8)) {
        input.write(String.join("\n", lines) + "\n");
      }
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new CommandException(
            said.contains("qdisc kind is unknown")
                ? "this kernel has no netem: modprobe sch_netem, or leave out --netem"
                : program.getFirst() + ": " + said.strip().replace('\n', ' '));
      }
      return said;
    });
  }
}
