package io.cascade.orchestrator;

import io.cascade.api.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes documents that differ from valid ones in a few values. */
final class FuzzedDocuments {
  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "0",
          "1",
          "-1",
          "0.1",
          "1e-300",
          "1e300",
          "1e999",
          "2147483647",
          "2147483648",
          "9223372036854775807",
          "-9223372036854775808",
          "9223372036854775808",
          "1e17",
          "\"\"",
          "\"NaN\"",
          "\"odd\"",
          "\"r1\"",
          "\"127.0.0.1:1\"",
          "\"\\u0000\\n\\u202e\\ud800\"",
          "\"%s\"".formatted("a".repeat(300)),
          "\"00000000-0000-0000-0000-000000000000\"",
          "\"+1000000000-12-31T23:59:59Z\"",
          "\"-1000000000-01-01T00:00:00Z\"",
          "[]",
          "[null]",
          "{}",
          "[[[[[[[[]]]]]]]]");

  private static final int LONG_LIST = 5_000;

  private final SplittableRandom random;

  FuzzedDocuments(long seed) {
    random = new SplittableRandom(seed);
  }

  int next(int bound) {
    return random.nextInt(bound);
  }

  /** A copy with one to three changes. */
  JsonNode changed(JsonNode document) {
    JsonNode copy = document.deepCopy();
    for (int left = 1 + random.nextInt(3); left > 0; left--) {
      List<String> pointers = new ArrayList<>();
      collect(copy, "", pointers);
      if (!pointers.isEmpty()) {
        change(copy, pointers.get(random.nextInt(pointers.size())));
      }
    }
    return copy;
  }

  private void change(JsonNode in, String pointer) {
    int last = pointer.lastIndexOf('/');
    JsonNode value = Json.lenient().readTree(VALUES.get(random.nextInt(VALUES.size())));
    JsonNode of = in.at(pointer);
    JsonNode parent = in.at(pointer.substring(0, last));
    String name = pointer.substring(last + 1);
    if (of instanceof ArrayNode array && !array.isEmpty() && random.nextBoolean()) {
      // Now and then more than any list may have.
      for (int more = random.nextInt(64) == 0 ? LONG_LIST : 1; more > 0; more--) {
        array.add(array.get(0).deepCopy());
      }
    } else if (parent instanceof ArrayNode array) {
      array.set(Integer.parseInt(name), value);
    } else if (parent instanceof ObjectNode object) {
      if (random.nextInt(8) == 0) {
        object.remove(name);
      } else {
        object.set(name, value);
      }
    }
  }

  private static void collect(JsonNode node, String at, List<String> into) {
    if (node instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> property : object.properties()) {
        into.add(at + "/" + property.getKey());
        collect(property.getValue(), at + "/" + property.getKey(), into);
      }
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        into.add(at + "/" + i);
        collect(array.get(i), at + "/" + i, into);
      }
    }
  }
}
