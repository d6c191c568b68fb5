package io.cascade.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A flag goes before the environment, the environment before the file, the file before the default.
 */
class ConfigurationOrderTest {
  @TempDir private Path folder;

  @Command(name = "verb", mixinStandardHelpOptions = true)
  private static final class Verb implements Callable<Integer> {
    @Option(names = "--hop-port", defaultValue = "7")
    private int hopPort;

    @Override
    public Integer call() {
      if (hopPort == 13) {
        throw new CommandException("13 is unlucky: choose another --hop-port");
      }
      return 0;
    }
  }

  @Test
  void takesTheFirstThatSaysAnything() throws Exception {
    Path file = Files.writeString(folder.resolve("settings"), "hop-port=3\n");
    Map<String, String> both = Map.of("CASCADE_CONFIG", file.toString(), "CASCADE_HOP_PORT", "2");
    assertThat(parsed(both, "--hop-port", "1")).isEqualTo(1);
    assertThat(parsed(both)).isEqualTo(2);
    assertThat(parsed(Map.of("CASCADE_CONFIG", file.toString()))).isEqualTo(3);
    assertThat(parsed(Map.of("HOME", folder.toString()))).isEqualTo(7);
  }

  @Test
  void findsTheFileWhereUsersKeepTheirs() throws Exception {
    Path home = Files.createDirectories(folder.resolve("cascade"));
    Files.writeString(home.resolve("cascade.properties"), "hop-port=9\n");
    assertThat(parsed(Map.of("XDG_CONFIG_HOME", folder.toString()))).isEqualTo(9);
  }

  @Test
  void aMissingFileThatWasNamedIsAnErrorInOneLine() {
    Outcome outcome = run(Map.of("CASCADE_CONFIG", "/nowhere/at-all"));
    assertThat(outcome.code()).isNotZero();
    assertThat(outcome.error().lines().findFirst())
        .hasValueSatisfying(line -> assertThat(line).contains("/nowhere/at-all"));
  }

  @Test
  void aComplaintIsOneLineAndExitCodeOne() {
    Outcome outcome = run(Map.of("HOME", folder.toString()), "--hop-port", "13");
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.error().lines()).hasSize(1).first().asString().contains("choose another");
  }

  @Test
  void aMisusedOptionIsExitCodeTwoAndPointsToTheHelp() {
    Outcome outcome = run(Map.of("HOME", folder.toString()), "--hop-prot", "13");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.error()).contains("--hop-prot").contains("--help");
  }

  private static int parsed(Map<String, String> environment, String... arguments) {
    Verb verb = new Verb();
    int code =
        Verbs.prepare(new CommandLine(verb), environment, e -> String.valueOf(e.getMessage()))
            .execute(arguments);
    assertThat(code).isZero();
    return verb.hopPort;
  }

  private static Outcome run(Map<String, String> environment, String... arguments) {
    StringWriter error = new StringWriter();
    CommandLine line =
        Verbs.prepare(
            new CommandLine(new Verb()), environment, e -> String.valueOf(e.getMessage()));
    line.setErr(new PrintWriter(error));
    return new Outcome(line.execute(arguments), error.toString());
  }

  private record Outcome(int code, String error) {}
}
