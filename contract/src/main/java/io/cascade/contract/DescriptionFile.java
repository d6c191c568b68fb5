package io.cascade.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads JSON as people write it: comments and trailing commas are accepted, unknown fields are not.
 * Errors are one line with the place, the value and what is expected.
 */
public final class DescriptionFile {
  private static final JsonMapper READER =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS, JsonReadFeature.ALLOW_TRAILING_COMMA)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(
              DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
              DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private DescriptionFile() {}

  /**
   * Reads a file.
   *
   * @param content what the file has to contain, for a reader: {@code a network described in JSON}
   * @param parse parser of the text; the file's name is prepended to its errors
   * @throws IllegalArgumentException naming file, place and fix
   */
  public static <T> T read(Path file, String content, Function<String, T> parse) {
    if (Files.isDirectory(file) || !Files.isReadable(file)) {
      throw new IllegalArgumentException(
          file + ": no such file, or not readable (expected: " + content + ")");
    }
    try {
      return parse.apply(Files.readString(file));
    } catch (IOException e) {
      throw new IllegalArgumentException(file + ": not text in UTF-8 (" + e.getMessage() + ")", e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Parses a document.
   *
   * @param example an example of such a document: <code>{"links": [...]}</code>
   * @throws IllegalArgumentException naming place and fix
   */
  public static <T> T parse(String json, Class<T> type, String example) {
    T document;
    try {
      document = READER.readValue(json, type);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(explain(e, example), e);
    }
    if (document == null) {
      throw new IllegalArgumentException("null (expected: " + example + ")");
    }
    return document;
  }

  private static String explain(JacksonException failure, String example) {
    return switch (failure) {
      case UnrecognizedPropertyException unknown ->
          place(unknown) + ": unknown field (expected: " + names(unknown) + ")";
      case InvalidFormatException wrong ->
          place(wrong) + ": " + quoted(wrong.getValue()) + " (expected: " + kind(wrong) + ")";
      case MismatchedInputException wrong when wrong.getPath().isEmpty() ->
          "not one description (expected: " + example + " and nothing else)";
      case MismatchedInputException wrong ->
          place(wrong) + ": of the wrong kind (expected: " + kind(wrong) + ")";
      case StreamReadException broken -> "not JSON: " + broken.getOriginalMessage() + at(broken);
      default -> String.valueOf(failure.getOriginalMessage()) + at(failure);
    };
  }

  private static String at(JacksonException failure) {
    return failure.getLocation() == null
        ? ""
        : " (line "
            + failure.getLocation().getLineNr()
            + ", column "
            + failure.getLocation().getColumnNr()
            + ")";
  }

  /** The place of an error: {@code links[2].rttMillis}. */
  private static String place(DatabindException failure) {
    StringBuilder place = new StringBuilder();
    for (JacksonException.Reference step : failure.getPath()) {
      String name = step.getPropertyName();
      if (name == null) {
        place.append('[').append(step.getIndex()).append(']');
      } else {
        place.append(place.isEmpty() ? "" : ".").append(name);
      }
    }
    return place.toString();
  }

  private static String names(UnrecognizedPropertyException unknown) {
    Collection<Object> known = unknown.getKnownPropertyIds();
    List<String> names = (known == null ? List.of() : known).stream().map(String::valueOf).toList();
    return new TreeSet<>(names).stream().collect(Collectors.joining(", "));
  }

  private static String kind(MismatchedInputException wrong) {
    Class<?> type = wrong.getTargetType();
    if (type == null) {
      return "another kind of value";
    }
    if (type == Boolean.class) {
      return "true or false";
    }
    if (type == Long.class || type == Integer.class) {
      return "a whole number";
    }
    if (Number.class.isAssignableFrom(type)) {
      return "a number";
    }
    if (type == String.class) {
      return "a text";
    }
    return Collection.class.isAssignableFrom(type) ? "a list [...]" : "an object {...}";
  }

  private static String quoted(Object value) {
    return value instanceof CharSequence ? "\"" + value + "\"" : String.valueOf(value);
  }
}
