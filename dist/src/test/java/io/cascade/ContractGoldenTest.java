package io.cascade;

import static java.util.Objects.requireNonNull;

import io.cascade.testing.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
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

  /** As {@link #line} writes a reference to a schema. */
  private static final Pattern REFERENCE = Pattern.compile("\\{\\$ref=(\\w+)}");

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
    schemas(document, text.toString()).values().forEach(text::append);
    Golden.check("contract/" + contract + ".txt", text.toString());
  }

  /** A contract's own schemas, and those of the orchestrator's contract that it refers to. */
  private static Map<String, String> schemas(Map<?, ?> document, String operations)
      throws IOException {
    Map<?, ?> own = schemas(document);
    Map<?, ?> others = schemas(read("orchestrator"));
    Map<String, String> found = new TreeMap<>();
    Deque<String> left = new ArrayDeque<>(references(operations));
    own.keySet().forEach(name -> left.add(name.toString()));
    while (!left.isEmpty()) {
      String name = left.pop();
      if (!found.containsKey(name)) {
        Object schema = own.containsKey(name) ? own.get(name) : others.get(name);
        found.put(name, schema(name, map(schema)));
        left.addAll(references(found.get(name)));
      }
    }
    return found;
  }

  private static List<String> references(String text) {
    return REFERENCE.matcher(text).results().map(found -> found.group(1)).toList();
  }

  private static String schema(String name, Map<?, ?> schema) {
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
