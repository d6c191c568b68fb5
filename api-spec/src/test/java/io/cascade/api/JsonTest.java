package io.cascade.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.TunnelRequest;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;

class JsonTest {
  static Stream<JsonMapper> servers() {
    return Stream.of(Json.strict(), Json.extensible());
  }

  @ParameterizedTest
  @MethodSource("servers")
  void noElementOfAListThatAServerReadsIsNull(JsonMapper server) {
    String text = "{\"gateways\": [\"a\", %s], \"fromPrefixes\": [], \"toPrefixes\": []}";

    assertThat(server.readValue(text.formatted("\"b\""), TunnelRequest.class).gateways())
        .isEqualTo(List.of("a", "b"));
    assertThatThrownBy(() -> server.readValue(text.formatted("null"), TunnelRequest.class))
        .isInstanceOf(MismatchedInputException.class);
  }

  /** Else a key whose end is given as an empty text would never end. */
  @ParameterizedTest
  @MethodSource("servers")
  void anEmptyTextIsNoTimeAndNoIdentifierThatIsLeftOut(JsonMapper server) {
    String text = "{\"name\": \"a\", \"role\": \"VIEWER\", \"expiresAt\": %s}";

    assertThat(server.readValue(text.formatted("null"), ApiKeyRequest.class).expiresAt()).isNull();
    assertThatThrownBy(() -> server.readValue(text.formatted("\"\""), ApiKeyRequest.class))
        .isInstanceOf(MismatchedInputException.class);
    assertThatThrownBy(() -> server.readValue("{\"id\": \"\"}", Named.class))
        .isInstanceOf(MismatchedInputException.class);
  }

  private record Named(UUID id) {}
}
