package io.cascade.relay.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.relay.hop.ConnectErrors;
import io.cascade.relay.hop.HopRefusal;
import io.netty.channel.ConnectTimeoutException;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CloseReasonTest {
  private static final Path OPERATIONS = Path.of("..", "docs", "operations.md");

  @Test
  void everyReasonIsInTheOperationsManual() throws Exception {
    String text = Files.readString(OPERATIONS);

    for (String code : codes()) {
      String written = code.startsWith("destination-") ? "destination-..." : code;
      assertThat(text).as("reason for the end of a stream").contains("`" + written + "`");
    }
    for (HopRefusal reason : HopRefusal.values()) {
      assertThat(text).as("reason to refuse a hop").contains("`" + reason.code() + "`");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Connection reset by peer, inlet-reset, onward-reset",
    "Broken pipe, inlet-reset, onward-reset",
    "Connection timed out, inlet-timeout, onward-timeout",
  })
  void aPeerThatIsSilentIsToldFromOneThatResets(String words, String inlet, String onward) {
    IOException broken = new IOException(words);

    assertThat(RelayStream.explain(Side.INLET, broken).code()).isEqualTo(inlet);
    assertThat(RelayStream.explain(Side.ONWARD, broken).code()).isEqualTo(onward);
  }

  @ParameterizedTest
  @CsvSource({
    "Connection refused, connect-refused",
    "No route to host, host-unreachable",
    "Network is unreachable, network-unreachable",
    "Connection timed out, connect-timeout",
    "Operation not permitted, connect-failed",
  })
  void whyAConnectionFailedIsNamed(String words, String code) {
    assertThat(ConnectErrors.explain(new IOException(words), "there").code()).isEqualTo(code);
  }

  @Test
  void aConnectionThatIsGivenUpTimedOut() {
    assertThat(ConnectErrors.explain(new ConnectTimeoutException("after 5 s"), "there").code())
        .isEqualTo("connect-timeout");
  }

  private static Set<String> codes() throws ReflectiveOperationException {
    Set<String> codes = new TreeSet<>();
    for (Class<?> kind : CloseReason.class.getPermittedSubclasses()) {
      Constructor<?> constructor = kind.getDeclaredConstructors()[0];
      for (List<Object> arguments : arguments(constructor.getParameterTypes())) {
        codes.add(((CloseReason) constructor.newInstance(arguments.toArray())).code());
      }
    }
    return codes;
  }

  /** Every combination of the values that the parameters may have. */
  private static List<List<Object>> arguments(Class<?>... parameters) {
    List<List<Object>> all = List.of(List.of());
    for (Class<?> parameter : parameters) {
      List<List<Object>> longer = new ArrayList<>();
      for (List<Object> begun : all) {
        for (Object value : values(parameter)) {
          List<Object> next = new ArrayList<>(begun);
          next.add(value);
          longer.add(next);
        }
      }
      all = longer;
    }
    return all;
  }

  private static List<?> values(Class<?> parameter) {
    if (parameter.isEnum()) {
      return Arrays.asList(parameter.getEnumConstants());
    }
    return List.of(parameter == Duration.class ? Duration.ZERO : "");
  }
}
