package io.cascade.orchestrator;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullUnmarked;
import org.yaml.snakeyaml.Yaml;

/** The statuses that the contract gives for its operations. */
@NullUnmarked
final class DocumentedAnswers {
  /** Beside what is there for an operation, as the contract says in its beginning. */
  private static final Set<Integer> ANYWHERE = Set.of(405, 406, 408, 413, 429, 431);

  private static final String BASE = "/api/v1";
  private static final Set<String> METHODS = Set.of("get", "post", "put", "delete", "patch");
  private static final List<Operation> OPERATIONS = read();

  /** An operation and its statuses. */
  record Operation(String method, String path, Set<Integer> statuses) {
    private boolean is(String calledMethod, String calledPath) {
      return method.equalsIgnoreCase(calledMethod)
          && calledPath.matches(path.replaceAll("\\{\\w+}", "[^/]+"));
    }

    private long parameters() {
      return path.chars().filter(c -> c == '{').count();
    }
  }

  private DocumentedAnswers() {}

  static List<Operation> operations() {
    return OPERATIONS;
  }

  /** Fails where a refusal of an operation is none that the contract has. */
  static void expect(String method, String target, int status) {
    String path = target.replaceFirst("[?].*", "");
    OPERATIONS.stream()
        .filter(one -> one.is(method, path))
        .min(Comparator.comparingLong(Operation::parameters))
        .filter(one -> status / 100 == 4)
        .filter(one -> !one.statuses().contains(status) && !ANYWHERE.contains(status))
        .ifPresent(one -> {
          throw new AssertionError(
              "%s %s: %d (documented: %s)"
                  .formatted(method, target, status, new TreeSet<>(one.statuses())));
        });
  }

  @SuppressWarnings("unchecked")
  private static List<Operation> read() {
    try (InputStream yaml =
        DocumentedAnswers.class.getResourceAsStream("/openapi/orchestrator.yaml")) {
      Map<String, Map<String, Object>> paths =
          (Map<String, Map<String, Object>>)
              new Yaml().<Map<String, Object>>load(yaml).get("paths");
      Map<String, Operation> all = new HashMap<>();
      paths.forEach((path, item) ->
          item.forEach((method, described) -> {
            if (METHODS.contains(method)) {
              Map<String, Map<String, Object>> operation =
                  (Map<String, Map<String, Object>>) described;
              Set<Integer> statuses =
                  operation.get("responses").keySet().stream()
                      .map(Integer::valueOf)
                      .collect(Collectors.toSet());
              all.put(method + path, new Operation(method, BASE + path, statuses));
            }
          }));
      return List.copyOf(all.values());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
