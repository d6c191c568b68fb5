package io.cascade.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The two ways in which this project reads JSON; it writes it in one. */
public final class Json {
  private static final JsonMapper LENIENT = builder(false).build();
  private static final JsonMapper STRICT = builder(true).build();

  private Json() {}

  /** For clients: properties that a newer server added are skipped. */
  public static JsonMapper lenient() {
    return LENIENT;
  }

  /** For servers: an unknown property is a mistake of the caller's, who should hear of it. */
  public static JsonMapper strict() {
    return STRICT;
  }

  private static JsonMapper.Builder builder(boolean failOnUnknown) {
    return JsonMapper.builder()
        .changeDefaultPropertyInclusion(
            inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
        .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, failOnUnknown)
        .configure(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, true)
        .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS);
  }
}
