package io.cascade.orchestrator.security;

import io.cascade.api.orchestrator.Role;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Scopes of operations and roles, read from the contract, which is their only definition. */
@Component
public class Scopes {
  private static final Set<String> METHODS = Set.of("get", "post", "put", "delete", "patch");

  private final Map<String, Operation> operations = new HashMap<>();
  private final Map<Role, Set<String>> roles = new EnumMap<>(Role.class);

  /**
   * An operation of the contract.
   *
   * @param alternatives sets of scopes, of which a caller needs one completely; empty if the
   *     operation needs no credential
   * @param audited whether the audit trail records it
   * @param perMinute how often a caller with its own key may call it in a minute; 0 for no limit
   */
  public record Operation(
      String id, List<Set<String>> alternatives, boolean audited, int perMinute) {
    public boolean isPublic() {
      return alternatives.isEmpty();
    }

    /** Whether these scopes allow the operation. */
    public boolean allows(Set<String> scopes) {
      return isPublic() || alternatives.stream().anyMatch(scopes::containsAll);
    }
  }

  Scopes() throws IOException {
    Map<String, Object> contract = read();
    map(contract, "paths")
        .forEach((path, item) ->
            map(item)
                .forEach((method, described) -> {
                  if (METHODS.contains(method)) {
                    operations.put(
                        key(method, "/api/v1" + path), operation(method, map(described)));
                  }
                }));
    map(map(map(map(contract, "components"), "securitySchemes"), "token"), "x-roles")
        .forEach((role, scopes) -> roles.put(Role.valueOf(role), texts(scopes)));
  }

  /** Reads the part before the schemas, which are most of the contract and not needed here. */
  private static Map<String, Object> read() throws IOException {
    try (InputStream file = new ClassPathResource("openapi/orchestrator.yaml").getInputStream()) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      return new Yaml(new SafeConstructor(new LoaderOptions()))
          .load(text.substring(0, text.indexOf("\n  schemas:\n") + 1));
    }
  }

  private static Operation operation(String method, Map<String, Object> described) {
    String id = String.valueOf(described.get("operationId"));
    Object security = described.get("security");
    if (security == null) {
      throw new IllegalStateException(id + ": the contract does not say who may do it");
    }
    return new Operation(
        id,
        ((List<?>) security).stream().map(one -> texts(map(one).get("token"))).toList(),
        !method.equals("get") && !Boolean.FALSE.equals(described.get("x-audit")),
        described.get("x-per-minute") instanceof Integer often ? often : 0);
  }

  /**
   * @param path path as in the contract, below {@code /api/v1}
   * @return null if the contract has no such operation
   */
  public @Nullable Operation operation(String method, String path) {
    return operations.get(key(method, path));
  }

  /** All operations. */
  Collection<Operation> operations() {
    return operations.values();
  }

  /** Scopes of a role. */
  public Set<String> of(Role role) {
    return Objects.requireNonNull(roles.get(role), role::name);
  }

  private static String key(String method, String path) {
    return method.toUpperCase(Locale.ROOT) + " " + path;
  }

  private static Set<String> texts(@Nullable Object list) {
    return ((List<?>) Objects.requireNonNull(list))
        .stream().map(String::valueOf).collect(Collectors.toUnmodifiableSet());
  }

  private static Map<String, Object> map(Map<String, Object> of, String name) {
    return map(of.get(name));
  }

  @SuppressWarnings("unchecked") // keys of a YAML mapping that is written by hand
  private static Map<String, Object> map(@Nullable Object value) {
    return (Map<String, Object>) Objects.requireNonNull(value);
  }
}
