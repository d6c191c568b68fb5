package io.cascade.studies.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.command.CommandException;
import io.cascade.studies.experiment.ExperimentFile;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class CampaignOptionsTest {
  @Test
  void filesOwnValuesAreUsedUnlessOthersAreGiven() {
    assertThat(options().wish())
        .isEqualTo(new ExperimentFile.Wish(OptionalInt.empty(), OptionalDouble.empty()));
    assertThat(options("--repetitions", "3", "--seconds", "1.5").wish())
        .isEqualTo(new ExperimentFile.Wish(OptionalInt.of(3), OptionalDouble.of(1.5)));
  }

  @ParameterizedTest
  @CsvSource({"--repetitions,0,1 or more", "--seconds,0,more than 0", "--seconds,NaN,more than 0"})
  void valuesOutOfRangeAreRefusedByName(String option, String value, String expected) {
    CampaignOptions options = options(option, value);

    assertThatThrownBy(options::wish)
        .isInstanceOf(CommandException.class)
        .hasMessageContaining(option + ": ")
        .hasMessageContaining("expected: " + expected);
  }

  private static CampaignOptions options(String... arguments) {
    Verb verb = new Verb();
    new CommandLine(verb).parseArgs(arguments);
    return verb.options;
  }

  @Command
  static final class Verb {
    @Mixin final CampaignOptions options = new CampaignOptions();
  }
}
