package io.cascade.relay.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.Json;
import io.cascade.api.Validation;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.HopInlet;
import io.cascade.api.relay.HopOptions;
import io.cascade.api.relay.HopOutlet;
import io.cascade.api.relay.LeaseRenewal;
import io.cascade.api.relay.PartInlet;
import io.cascade.api.relay.PartOutlet;
import io.cascade.api.relay.ProbeRequest;
import io.cascade.api.relay.StreamOptions;
import io.cascade.api.relay.ThroughputSink;
import io.cascade.relay.TestParts;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Its records are public, as those of the contracts are. */
public class ValidationTest {
  private static final String KEY = "A".repeat(43);

  public record Leaf(@NotNull @Min(1) @Max(9) Integer digit) {}

  public record Sample(
      @NotNull String required,
      @Nullable @Min(5L) Long atLeast,
      @Nullable @Max(7L) Long atMost,
      @Nullable @Pattern(regexp = "^[a-z]+$") String letters,
      @Nullable @Size(max = 2) List<@Valid Leaf> leaves,
      @Nullable @Size(min = 1, max = 1) Map<String, String> entries,
      @Nullable @Valid Leaf leaf) {

    static Sample valid() {
      return new Sample("here", 5L, 7L, "abc", List.of(new Leaf(1)), Map.of("a", "b"), new Leaf(9));
    }
  }

  @Test
  void acceptsValuesOnTheirLimits() {
    assertThat(Validation.violations(Sample.valid())).isEmpty();
  }

  @Test
  void acceptsAbsentOptionalProperties() {
    assertThat(violations(new Sample("here", null, null, null, null, null, null))).isEmpty();
  }

  @Test
  void namesTheMissingProperty() {
    assertThat(violations(Json.strict().readValue("{}", Sample.class)))
        .containsExactly("required: missing");
  }

  @Test
  void namesTheLimitsOfANumber() {
    assertThat(violations(new Sample("", 4L, 8L, null, null, null, null)))
        .containsExactly("atLeast: 4 (expected: at least 5)", "atMost: 8 (expected: at most 7)");
    assertThat(Validation.violations(new Leaf(0))).containsExactly("digit: 0 (expected: 1 to 9)");
  }

  @Test
  void matchesAPatternAgainstTheWholeText() {
    assertThat(violations(new Sample("", null, null, "abc\n", null, null, null)))
        .containsExactly("letters: not of the expected form (expected: ^[a-z]+$)");
  }

  @Test
  void countsEntries() {
    List<Leaf> three = List.of(new Leaf(1), new Leaf(2), new Leaf(3));
    assertThat(violations(new Sample("", null, null, null, three, Map.of(), null)))
        .containsExactly(
            "leaves: 3 entries (expected: 0 to 2)", "entries: 0 entries (expected: 1 to 1)");
  }

  @Test
  void saysWhereInsideItIsWrong() {
    List<Leaf> leaves = Arrays.asList(new Leaf(0), null);
    assertThat(violations(new Sample("", null, null, null, leaves, null, new Leaf(10))))
        .containsExactly(
            "leaves[0].digit: 0 (expected: 1 to 9)",
            "leaves[1]: missing",
            "leaf.digit: 10 (expected: 1 to 9)");
  }

  @Test
  void stopsAfterEightComplaints() {
    List<UUID> missing = Collections.nCopies(10_000, null);
    assertThat(violations(new LeaseRenewal(30, missing))).hasSize(8).contains("chains[7]: missing");
  }

  @Test
  void failsOnAConstraintThatItDoesNotKnow() {
    record Unknown(@Positive int number) {}
    assertThatThrownBy(() -> Validation.violations(new Unknown(-1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Positive");
  }

  @Test
  void checksAPartWithItsKeysAndOptions() {
    ChainPart part =
        TestParts.of(
            16,
            0,
            null,
            HopInlet.builder().key("secret").build(),
            HopOutlet.builder().host("").port(70_000).key(KEY).build(),
            null,
            StreamOptions.builder()
                .bufferBytes(65_535L)
                .warmConnections(65)
                .startAfterBytes(-1L)
                .congestionControl("Cubic")
                .connectTimeoutSeconds(0)
                .pacingBitsPerSecond(7_999L)
                .patienceSeconds(3_601)
                .build(),
            null);
    assertThat(violations(part))
        .containsExactly(
            "inlets[0].relay.key: 6 characters (expected: 43 to 44)",
            "outlets[0].hop.hop: 17 (expected: 0 to 16)",
            "outlets[0].relay.host: 0 characters (expected: 1 to 253)",
            "outlets[0].relay.port: 70000 (expected: 1 to 65535)",
            "leaseSeconds: 0 (expected: 1 to 86400)",
            "options.bufferBytes: 65535 (expected: 65536 to 1073741824)",
            "options.warmConnections: 65 (expected: 0 to 64)",
            "options.startAfterBytes: -1 (expected: at least 0)")
        .noneMatch(violation -> violation.contains("secret"));
  }

  @Test
  void checksWhatSingleHopsHaveOtherwise() {
    HopAddress hop = new HopAddress(0, 0, 1);
    assertThat(
            violations(
                PartInlet.builder()
                    .hop(hop)
                    .options(HopOptions.builder().pacingBitsPerSecond(7_999L).build())
                    .build()))
        .containsExactly("options.pacingBitsPerSecond: 7999 (expected: at least 8000)");
    assertThat(
            violations(
                PartOutlet.builder()
                    .hop(hop)
                    .options(HopOptions.builder().keepAliveSeconds(7_201).build())
                    .build()))
        .containsExactly("options.keepAliveSeconds: 7201 (expected: 0 to 7200)");
  }

  @Test
  void acceptsAPartAsTheContractHasIt() {
    ChainPart part =
        TestParts.of(
            1,
            60,
            null,
            new HopInlet(KEY, "0123456789abcdef".repeat(4)),
            HopOutlet.builder().host("b.example").port(7411).key(KEY + "=").build(),
            null,
            null,
            null);
    assertThat(Validation.violations(part)).isEmpty();
  }

  @Test
  void checksLeasesAndProbes() {
    assertThat(violations(new LeaseRenewal(86_401, Collections.nCopies(10_001, UUID.randomUUID()))))
        .containsExactly(
            "leaseSeconds: 86401 (expected: 1 to 86400)",
            "chains: 10001 entries (expected: 0 to 10000)");
    assertThat(
            violations(
                ProbeRequest.builder().host("h").port(1).count(101).timeoutMillis(9).build()))
        .containsExactly(
            "count: 101 (expected: 1 to 100)", "timeoutMillis: 9 (expected: 10 to 30000)");
  }

  @Test
  void checksRealNumbers() {
    assertThat(
            violations(
                ThroughputSink.builder()
                    .key("k".repeat(43))
                    .from("r1")
                    .maxBytes(65_536L)
                    .maxSeconds(30.5)
                    .build()))
        .containsExactly("maxSeconds: 30.5 (expected: at least 0.1, at most 30)");
    assertThat(
            violations(
                ThroughputSink.builder()
                    .key("k".repeat(43))
                    .from("r1")
                    .maxBytes(65_536L)
                    .maxSeconds(Double.NaN)
                    .build()))
        .containsExactly("maxSeconds: NaN (expected: at least 0.1, at most 30)");
    assertThat(
            violations(
                ThroughputSink.builder()
                    .key("k".repeat(43))
                    .from("r1")
                    .maxBytes(65_536L)
                    .maxSeconds(0.1)
                    .build()))
        .isEmpty();
  }

  private static List<String> violations(Record document) {
    return Validation.violations(document);
  }
}
