package io.cascade.relay.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.carriage.transport.ConnectionError;
import io.cascade.carriage.transport.ConnectionFailure;
import io.cascade.relay.hop.HopRefusal;
import io.cascade.relay.stream.CloseReason.ConnectFailed;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.Errors;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CloseReasonTest {
  /** The errors of its native library are made here as that library makes them. */
  @BeforeAll
  static void loadNativeLibrary() {
    Epoll.ensureAvailability();
  }

  private static final Path OPERATIONS = Path.of("..", "docs", "how", "streams.md");

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

  /**
   * @param errno of Linux: ECONNRESET, EPIPE, ETIMEDOUT
   */
  @ParameterizedTest
  @CsvSource({
    "104, inlet-reset, onward-reset",
    "32, inlet-reset, onward-reset",
    "110, inlet-timeout, onward-timeout",
  })
  void aPeerThatIsSilentIsToldFromOneThatResets(int errno, String inlet, String onward) {
    IOException broken = Errors.newIOException("recv", -errno);

    assertThat(CloseReason.of(Side.INLET, broken).code()).isEqualTo(inlet);
    assertThat(CloseReason.of(Side.ONWARD, broken).code()).isEqualTo(onward);
  }

  /**
   * @param errno of Linux: ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, ETIMEDOUT, EPERM
   */
  @ParameterizedTest
  @CsvSource({
    "111, connect-refused",
    "113, host-unreachable",
    "101, network-unreachable",
    "110, connect-timeout",
    "1, connect-failed",
  })
  void whyAConnectionFailedIsNamed(int errno, String code) {
    IOException failed = Errors.newIOException("connect", -errno);

    assertThat(ConnectFailed.of(failed, "there").code()).isEqualTo(code);
  }

  @Test
  void theTypesOfTheJdkAreNamedAsFarAsTheyTell() {
    assertThat(ConnectFailed.of(new ConnectException("x"), "there").code())
        .isEqualTo("connect-refused");
    assertThat(ConnectFailed.of(new NoRouteToHostException("x"), "there").code())
        .isEqualTo("host-unreachable");
    assertThat(CloseReason.of(Side.INLET, new SocketException("x")).code())
        .isEqualTo("inlet-reset");
  }

  @ParameterizedTest
  @EnumSource
  void everyErrorOfAConnectionHasAReason(ConnectionError error) {
    ConnectionFailure failure = new ConnectionFailure(error, "why");

    assertThat(CloseReason.of(Side.INLET, failure).detail()).isEqualTo("why");
    assertThat(ConnectFailed.of(failure, "there").detail()).isEqualTo("there: why");
  }

  @Test
  void noReasonHasNamesOfSystemCallsOrExceptions() {
    assertThat(CloseReason.of(Side.INLET, Errors.newIOException("recvAddress", -104)).detail())
        .isEqualTo("reset by the peer");
    assertThat(CloseReason.of(Side.INLET, Errors.newIOException("write", -12)).detail())
        .isEqualTo("Cannot allocate memory");
    assertThat(CloseReason.of(Side.INLET, new ClosedChannelException()).detail())
        .isEqualTo("the connection was closed");
    assertThat(ConnectFailed.of(Errors.newIOException("connect", -111), "there").detail())
        .isEqualTo("there: connection refused");
  }

  @Test
  void aConnectionThatIsGivenUpTimedOut() {
    assertThat(ConnectFailed.of(new ConnectTimeoutException("after 5 s"), "there").code())
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
