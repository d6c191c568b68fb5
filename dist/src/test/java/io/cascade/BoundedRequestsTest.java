package io.cascade;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Whatever a caller sends has a bound in the contract, which is enforced. */
class BoundedRequestsTest {
  private static final Path CONTRACTS = Path.of("../api-spec/src/main/resources/openapi");

  @ParameterizedTest
  @ValueSource(strings = {"orchestrator.yaml", "relay-control.yaml", "scap.yaml", "transfers.yaml"})
  void everyTextListAndMapOfARequestHasABound(String contract) throws IOException {
    Map<?, ?> document = read(contract);
    Map<Object, Object> schemas = new HashMap<>(schemas(document));
    Map<?, ?> shared = schemas(read("orchestrator.yaml"));
    schemas.replaceAll((name, own) -> map(own).containsKey("$ref") ? map(shared.get(name)) : own);
    Walk walk = new Walk(schemas);
    int bodies = 0;
    for (Object path : map(document.get("paths")).entrySet()) {
      Map.Entry<?, ?> operations = (Map.Entry<?, ?>) path;
      for (Object each : map(operations.getValue()).entrySet()) {
        Map.Entry<?, ?> operation = (Map.Entry<?, ?>) each;
        if (operation.getValue() instanceof Map<?, ?> described
            && described.containsKey("requestBody")) {
          for (Object content : map(map(described.get("requestBody")).get("content")).values()) {
            bodies++;
            walk.schema(
                map(map(content).get("schema")), operation.getKey() + " " + operations.getKey());
          }
        }
      }
    }
    assertThat(bodies).isPositive();
    assertThat(walk.unbounded).isEmpty();
  }

  private static Map<?, ?> read(String contract) throws IOException {
    return map(
        new Load(LoadSettings.builder().build())
            .loadFromString(Files.readString(CONTRACTS.resolve(contract))));
  }

  private static Map<?, ?> schemas(Map<?, ?> document) {
    return map(map(document.get("components")).get("schemas"));
  }

  private static Map<?, ?> map(@Nullable Object value) {
    return (Map<?, ?>) requireNonNull(value);
  }

  /** Follows the schemas that a request is made of. */
  private static final class Walk {
    private static final Set<String> BOUNDS_OF_TEXT =
        Set.of("maxLength", "pattern", "enum", "format", "const");

    private final Map<?, ?> schemas;
    private final Set<String> seen = new HashSet<>();
    private final List<String> unbounded = new ArrayList<>();

    Walk(Map<?, ?> schemas) {
      this.schemas = schemas;
    }

    void schema(Map<?, ?> schema, String at) {
      if (schema.get("$ref") instanceof String reference) {
        String name = reference.substring(reference.lastIndexOf('/') + 1);
        if (seen.add(name)) {
          schema(map(schemas.get(name)), name);
        }
        return;
      }
      Object type =
          schema.get("type") instanceof List<?> types ? types.getFirst() : schema.get("type");
      if ("string".equals(type) && BOUNDS_OF_TEXT.stream().noneMatch(schema::containsKey)) {
        unbounded.add(at + ": a text");
      }
      if ("array".equals(type) && !schema.containsKey("maxItems")) {
        unbounded.add(at + ": a list");
      }
      if (schema.get("additionalProperties") instanceof Map<?, ?> values) {
        if (!schema.containsKey("maxProperties")) {
          unbounded.add(at + ": a map");
        }
        schema(values, at + ".*");
      }
      if (schema.get("properties") instanceof Map<?, ?> properties) {
        properties.forEach((name, value) -> schema(map(value), at + "." + name));
      }
      if (schema.get("items") instanceof Map<?, ?> items) {
        schema(items, at + "[]");
      }
      for (String parts : List.of("allOf", "anyOf", "oneOf")) {
        if (schema.get(parts) instanceof List<?> all) {
          all.forEach(one -> schema(map(one), at));
        }
      }
    }
  }
}
