package io.cascade.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.List;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/** The three ways in which this project reads JSON; it writes it in one. */
public final class Json {
  private static final JsonMapper LENIENT = builder(false).build();
  private static final JsonMapper EXTENSIBLE = forbidConversion(builder(false)).build();
  private static final JsonMapper STRICT = forbidConversion(builder(true)).build();

  private Json() {}

  /** The mapper for clients: properties that a newer server added are skipped. */
  public static JsonMapper lenient() {
    return LENIENT;
  }

  /**
   * The mapper for servers, of what relays, gateways and orchestrators say to each other:
   * properties that a newer version added are skipped, and a value of another type is a mistake.
   */
  public static JsonMapper extensible() {
    return EXTENSIBLE;
  }

  /**
   * The mapper for servers, of what people and their programs ask for: an unknown property, or a
   * value of another type, is a mistake of the caller's, who should hear of it.
   */
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

  /**
   * A text is no number, and a number no text: what looks like a mistake is not guessed at. An
   * empty text is no time and no identifier that is left out. No list or map of the contracts has
   * elements that are null.
   */
  private static JsonMapper.Builder forbidConversion(JsonMapper.Builder builder) {
    builder.changeDefaultNullHandling(nulls -> nulls.withContentNulls(Nulls.FAIL));
    for (LogicalType scalar :
        List.of(
            LogicalType.Textual,
            LogicalType.Integer,
            LogicalType.Float,
            LogicalType.Boolean,
            LogicalType.Enum)) {
      builder.withCoercionConfig(
          scalar,
          config -> {
            for (CoercionInputShape shape : CoercionInputShape.values()) {
              boolean widened = scalar == LogicalType.Float && shape == CoercionInputShape.Integer;
              config.setCoercion(shape, widened ? CoercionAction.TryConvert : CoercionAction.Fail);
            }
          });
    }
    for (LogicalType written : List.of(LogicalType.DateTime, LogicalType.OtherScalar)) {
      builder.withCoercionConfig(
          written,
          config -> config.setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail));
    }
    return builder;
  }
}
