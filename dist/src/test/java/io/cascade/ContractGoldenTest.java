package io.cascade;

import static java.util.Objects.requireNonNull;

import io.cascade.testing.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * What programs read and write over HTTP is as its copies in {@code testing/golden}: operations and
 * properties of schemas with types and bounds, a line each, without descriptions.
 */
@Tag(Golden.TAG)
class ContractGoldenTest {
  private static final Path CONTRACTS = Path.of("../api-spec/src/main/resources/openapi");
  private static final List<String> WORDS =
      List.of("description", "summary", "example", "operationId", "tags");

  @ParameterizedTest
  @ValueSource(strings = {"orchestrator", "relay-control", "transfers", "scap"})
  void operationsAndSchemas(String contract) throws IOException {
    Map<?, ?> document = read(contract);
    StringBuilder text = new StringBuilder();
    map(document.get("paths"))
        .forEach((path, operations) ->
            map(operations)
                .forEach((method, operation) ->
                    text.append("%s %s %s\n".formatted(method, path, line(operation)))));
    lines(document).values().forEach(text::append);
    Golden.check("contract/" + contract + ".txt", text.toString());
  }

  /** A contract's schemas, also those that it has from the orchestrator's contract. */
  private static Map<String, String> lines(Map<?, ?> document) throws IOException {
    Map<?, ?> shared = schemas(read("orchestrator"));
    Map<String, String> found = new TreeMap<>();
    schemas(document)
        .forEach((name, schema) -> {
          boolean isShared = map(schema).containsKey("$ref");
          found.put(name.toString(), schema(name, map(isShared ? shared.get(name) : schema)));
        });
    return found;
  }

  private static String schema(Object name, Map<?, ?> schema) {
    StringBuilder text = new StringBuilder("\n").append(name);
    Collection<?> required =
        schema.get("required") instanceof Collection<?> names ? names : List.of();
    schema.forEach((key, value) -> {
      if (!WORDS.contains(key) && !key.equals("properties") && !key.equals("required")) {
        text.append(' ').append(key).append('=').append(line(value));
      }
    });
    if (schema.get("properties") instanceof Map<?, ?> properties) {
      properties.forEach((property, type) ->
          text.append(
              "\n  %s%s %s"
                  .formatted(property, required.contains(property) ? "" : "?", line(type))));
    }
    return text.append('\n').toString();
  }

  private static String line(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> keys ->
          keys.entrySet().stream()
              .filter(entry -> !WORDS.contains(entry.getKey()))
              .map(entry -> entry.getKey() + "=" + line(entry.getValue()))
              .collect(Collectors.joining(" ", "{", "}"));
      case Collection<?> all ->
          all.stream().map(ContractGoldenTest::line).collect(Collectors.joining(" ", "[", "]"));
      case String reference when reference.contains("#/components/schemas/") ->
          reference.substring(reference.lastIndexOf('/') + 1);
      case null -> "";
      default -> value.toString().strip();
    };
  }

  private static Map<?, ?> read(String contract) throws IOException {
    return map(
        new Load(LoadSettings.builder().build())
            .loadFromString(Files.readString(CONTRACTS.resolve(contract + ".yaml"))));
  }

  private static Map<?, ?> schemas(Map<?, ?> document) {
    return map(map(document.get("components")).get("schemas"));
  }

  private static Map<?, ?> map(@Nullable Object value) {
    return (Map<?, ?>) requireNonNull(value);
  }
}
