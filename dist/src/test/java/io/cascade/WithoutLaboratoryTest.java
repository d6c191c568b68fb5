package io.cascade;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What archives have, every jar but the studies, and images, which have no lab either. */
@Timeout(60)
class WithoutLaboratoryTest {
  @ParameterizedTest
  @CsvSource({"--help, lab|studies", "--version, lab|studies", "--help, studies"})
  void theRootCommandListsTheVerbsThatAreThere(String option, String without) throws Exception {
    Process process = cascade(without, option);

    String said = said(process);

    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said).contains("cascade").doesNotContain("Exception", "Error", "reproduce ");
    assertThat(said.contains("demo "))
        .isEqualTo(option.equals("--help") && without.equals("studies"));
  }

  @Test
  void aStudySaysWhereItIs() throws Exception {
    Process process = cascade("studies", "reproduce", "transfers", "--seed", "1");

    assertThat(said(process))
        .contains("reproduce is not installed here: run ./cascade reproduce in a checkout");
    assertThat(process.waitFor()).isEqualTo(1);
  }

  private static String said(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /**
   * @param without modules whose classes or jars are left out
   */
  private static Process cascade(String without, String... arguments) throws IOException {
    Predicate<String> absent =
        Pattern.compile("cascade-(%1$s)-|/(%1$s)/target/".formatted(without)).asPredicate();
    String jars =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(absent.negate())
            .collect(Collectors.joining(File.pathSeparator));
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                jars,
                "io.cascade.Cascade"));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }
}
