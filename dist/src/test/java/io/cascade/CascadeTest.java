package io.cascade;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The command line as a whole. */
class CascadeTest {
  @TempDir Path home;

  @ParameterizedTest
  @EnumSource(Verb.class)
  void everyVerbHasHelpThatSaysWhatItIsFor(Verb verb) {
    Run run = run(verb.title(), "--help");

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.out).startsWith("Usage: cascade " + verb.title());
    assertThat(run.out).contains("-h, --help");
    assertThat(run.err).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Verb.class)
  void everyVerbKnowsTheVersion(Verb verb) {
    Run run = run(verb.title(), "--version");

    assertThat(run.exit).isZero();
    assertThat(run.out).startsWith("cascade ");
  }

  @Test
  void rootHelpListsEveryVerbByItsUse() {
    Run run = run("--help");

    assertThat(run.exit).isZero();
    assertThat(run.out).contains("Try it:", "Run the components:", "Move data:", "Inspect:");
    for (Verb verb : Verb.values()) {
      assertThat(run.out).containsPattern("(?m)^  " + verb.title() + " +\\S");
    }
    assertThat(run.out.lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void completionKnowsEveryVerb() {
    String script = run("completion").out;

    for (Verb verb : Verb.values()) {
      assertThat(script).contains("_picocli_cascade_" + verb.title() + "()");
    }
    assertThat(script).contains("--start-after-windows").contains("--ingress-port");
  }

  /** The names are asked for when somebody presses Tab, and at no other time. */
  @Test
  void completionAsksTheOrchestratorForTheNamesOfRelaysAndChains(@TempDir Path folder)
      throws Exception {
    Path script = Files.writeString(folder.resolve("completion"), run("completion").out);
    Path cascade = folder.resolve("cascade");
    Files.writeString(
        cascade,
        "#!/bin/bash\n[ \"$*\" = \"completion --list $NAMES\" ] && printf 'den\\nsea\\n'\n");
    assertThat(cascade.toFile().setExecutable(true)).isTrue();

    assertThat(completed(script, cascade, "relays", "plan", "--from", ""))
        .containsOnly("den", "sea");
    assertThat(completed(script, cascade, "relays", "drain", "s")).containsOnly("sea");
    assertThat(completed(script, cascade, "chains", "close", "")).contains("den", "sea");
    assertThat(completed(script, cascade, "none", "plan", "--to", "")).doesNotContain("den");
  }

  /** What bash would offer behind these words. */
  private static List<String> completed(Path script, Path cascade, String names, String... words)
      throws Exception {
    StringBuilder line = new StringBuilder("source " + script + "; COMP_WORDS=('" + cascade + "'");
    for (String word : words) {
      line.append(" '").append(word).append("'");
    }
    line.append("); COMP_CWORD=").append(words.length);
    line.append("; _complete_cascade; printf '%s\\n' \"${COMPREPLY[@]}\"");
    ProcessBuilder bash =
        new ProcessBuilder("bash", "-c", line.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD); // compopt, outside of a completion
    bash.environment().put("NAMES", names);
    Process process = bash.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out.lines().filter(one -> !one.isEmpty()).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "frobnicate", "--frobnicate", "relays --frobnicate"})
  void misuseExitsWithTwo(String line) {
    Run run = line.isEmpty() ? run() : run(line.split(" ", -1));

    assertThat(run.exit).isEqualTo(2);
    assertThat(run.out).isEmpty();
    assertThat(run.err.lines()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"send", "receive", "open", "forward", "plan", "relay", "gateway up"})
  void helpShowsTheOptionsThatAreUsedMostAndOnRequestAll(String verb) {
    String[] words = (verb + " --help").split(" ", -1);
    Run few = run(words);
    words[words.length - 1] = "--help-all";
    Run all = run(words);

    assertThat(few.exit).as(few.err).isZero();
    assertThat(few.out).contains("cascade " + verb + " --help-all shows");
    assertThat(few.out.lines()).hasSizeLessThan(60);
    assertThat(all.out.lines().count()).isGreaterThan(few.out.lines().count());
    assertThat(all.out).doesNotContain("--help-all shows");
  }

  @ParameterizedTest
  @ValueSource(strings = {"send", "open", "plan"})
  void allOptionsAreInSectionsWithExamples(String verb) {
    assertThat(run(verb, "--help-all").out)
        .containsSubsequence(
            "Options:", "--to", "Source and route:", "--via", "Examples:", "cascade " + verb)
        .contains("Orchestrator and output:");
  }

  @ParameterizedTest
  @CsvSource({"send,--mode", "open,--setup", "relay,--spool-dir", "gateway up,--delivery"})
  void optionsThatAreThereToCompareAreInTheLastSection(String verb, String option) {
    String all = run((verb + " --help-all").split(" ", -1)).out;

    int heading = all.indexOf("\nFor comparison:\n");
    assertThat(all.indexOf("  " + option + "=")).isGreaterThan(heading);
    assertThat(heading).isGreaterThan(all.lastIndexOf("  --orchestrator="));
  }

  @Test
  void helpIsAVerbAsWellAsAnOption() {
    assertThat(Cascade.asHelpOption("help")).containsExactly("--help");
    assertThat(Cascade.asHelpOption("help", "key", "create"))
        .containsExactly("key", "create", "--help");
    assertThat(Cascade.asHelpOption("send", "help")).containsExactly("send", "help");
    assertThat(Cascade.asHelpOption()).isEmpty();
  }

  /** Whatever only asks and answers ends when it has. */
  @ParameterizedTest
  @ValueSource(strings = {"send", "relays", "tune", "drain", "key", "version"})
  void verbsThatLeaveNothingToHooksEndAtOnce(String verb) {
    assertThat(Cascade.isDoneWhenItReturns(verb)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "orchestrator", "relay", "lab", "reproduce"})
  void othersRunTheirHooks(String verb) {
    assertThat(Cascade.isDoneWhenItReturns(verb)).isFalse();
  }

  private Run run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line =
        Cascade.commandLine(Map.of("HOME", home.toString()), arguments)
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    return new Run(line.execute(Cascade.withoutAll(arguments)), out.toString(), err.toString());
  }

  record Run(int exit, String out, String err) {}
}
