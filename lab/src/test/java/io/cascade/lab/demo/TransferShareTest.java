package io.cascade.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.Json;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TransferShareTest {
  /** Relays that carried the smaller part stand with their share alone. */
  @Test
  void relaysAreNamedByTheirShare() {
    Transfer.Sent sent =
        Json.lenient()
            .readValue(
                """
                {"route": "DIRECT", "relays": [], "why": "", "sha256": "", "seconds": 1.0, "bitsPerSecond": 1.0,
                 "relayed": {"bytes": 7, "bitsPerSecond": 1.0, "relays": ["den", "sea"]}}\
                """,
                Transfer.Sent.class);

    assertThat(Objects.requireNonNull(sent.relayed()).through()).isEqualTo("through den and sea");
    assertThat(new Transfer.Share(7, List.of()).through()).isEqualTo("through relays");
  }
}
