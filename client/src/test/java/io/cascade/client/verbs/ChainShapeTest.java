package io.cascade.client.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.TransportChoice;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ChainShapeTest {
  private static ChainShape shape(String... arguments) {
    ChainShape shape = new ChainShape();
    var _ = new CommandLine(shape).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments);
    return shape;
  }

  @Test
  void nothingAskedForIsNoOptions() {
    assertThat(shape().options()).isNull();
    assertThat(shape().needsRelays()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"auto,AUTO,false", "tcp,TCP,false", "coded,CODED,true"})
  void onlyCodedHopsThatWereAskedForNeedRelays(
      String argument, TransportChoice transport, boolean isNeeded) {
    ChainShape shape = shape("--transport", argument);
    assertThat(Objects.requireNonNull(shape.options()).transport()).isEqualTo(transport);
    assertThat(shape.transport()).isEqualTo(transport);
    assertThat(shape.needsRelays()).isEqualTo(isNeeded);
  }

  @Test
  void otherOptionsNeedRelays() {
    assertThat(shape("--transport", "auto", "--warm", "2").needsRelays()).isTrue();
  }
}
