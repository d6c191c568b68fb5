package io.cascade.relay.control;

import io.cascade.api.Json;
import io.cascade.api.Validation;
import java.io.InputStream;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads request documents by the contract and reports how they differ from it. Properties that a
 * newer orchestrator adds are skipped, except in documents that a person may have written.
 *
 * <p>Details name properties and places, never values: a value may be a key.
 */
final class Documents {
  /** Strict about types as well: {@code "7"} is no number and {@code 1.5} no integer. */
  private static final JsonMapper OF_MACHINES = exact(Json.extensible());

  private static final JsonMapper OF_PEOPLE = exact(Json.strict());

  private Documents() {}

  private static JsonMapper exact(JsonMapper mapper) {
    return mapper
        .rebuild()
        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .build();
  }

  /** Reads a document and skips unknown properties. */
  static <T extends Record> T read(InputStream body, Class<T> type) throws ControlProblem {
    return read(OF_MACHINES, body, type);
  }

  /** Reads a document and refuses unknown properties: the caller expects them to have an effect. */
  static <T extends Record> T readWhole(InputStream body, Class<T> type) throws ControlProblem {
    return read(OF_PEOPLE, body, type);
  }

  private static <T extends Record> T read(JsonMapper mapper, InputStream body, Class<T> type)
      throws ControlProblem {
    T document;
    try {
      document = mapper.readValue(body, type);
    } catch (JacksonException e) {
      throw new ControlProblem(ProblemKind.INVALID_REQUEST, describe(e));
    }
    if (document == null) {
      throw new ControlProblem(
          ProblemKind.INVALID_REQUEST,
          "null (expected: an object, a " + type.getSimpleName() + ")");
    }
    List<String> violations = Validation.violations(document);
    if (!violations.isEmpty()) {
      throw new ControlProblem(ProblemKind.INVALID_REQUEST, String.join("; ", violations));
    }
    return document;
  }

  static String write(Object document) {
    return OF_MACHINES.writeValueAsString(document);
  }

  private static String describe(JacksonException failure) {
    return switch (failure) {
      case UnrecognizedPropertyException unknown ->
          path(unknown)
              + ": unknown property (expected: "
              + unknown.getKnownPropertyIds().stream()
                  .map(String::valueOf)
                  .sorted()
                  .collect(Collectors.joining(", "))
              + ")";
      case InputCoercionException number ->
          "a number is out of the range of its property" + place(number);
      case StreamReadException doubled when doubled.getOriginalMessage().startsWith("Duplicate") ->
          "a property is given more than once" + place(doubled);
      case StreamReadException syntax -> "not JSON" + place(syntax);
      case DatabindException mismatch when !mismatch.getPath().isEmpty() ->
          path(mismatch) + ": not of the type that the contract asks for" + place(mismatch);
      default -> "not a document of the kind that the contract asks for" + place(failure);
    };
  }

  private static String place(JacksonException failure) {
    var location = failure.getLocation();
    return location == null || location.getLineNr() < 1
        ? ""
        : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
  }

  private static String path(JacksonException failure) {
    StringBuilder path = new StringBuilder();
    for (JacksonException.Reference step : failure.getPath()) {
      String name = step.getPropertyName();
      if (name == null) {
        path.append('[').append(step.getIndex()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(name);
      }
    }
    return path.toString();
  }
}
