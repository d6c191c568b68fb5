package io.cascade.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/**
 * The ways in which this project reads JSON; it writes it in one. What strangers may have written
 * has a bound of its tokens: a list has its own bound checked when it is whole, and three bytes can
 * be an object of a hundred.
 */
public final class Json {
  /**
   * Tokens of a request. A heartbeat with ten thousand links has 220,000, as many leases have
   * 10,000.
   */
  static final long MOST_OF_REQUEST = 1_000_000;

  /** Tokens of a relay's answer. Ten thousand streams of two pipes each have 1,500,000. */
  static final long MOST_OF_ANSWER = 2_000_000;

  private static final JsonMapper LENIENT = builder(false, Long.MAX_VALUE).build();
  private static final JsonMapper BOUNDED = builder(false, MOST_OF_ANSWER).build();
  private static final JsonMapper EXTENSIBLE =
      forbidConversion(builder(false, MOST_OF_REQUEST)).build();
  private static final JsonMapper STRICT = forbidConversion(builder(true, MOST_OF_REQUEST)).build();

  private Json() {}

  /**
   * The mapper for clients and for files: properties that a newer server added are skipped. It
   * reads as much as there is.
   */
  public static JsonMapper lenient() {
    return LENIENT;
  }

  /** The mapper for answers of servers that are not relied on: as {@link #lenient}, bounded. */
  public static JsonMapper bounded() {
    return BOUNDED;
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

  /** Which bound a document exceeds that was refused for it, in words. */
  public static Optional<String> exceeded(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof StreamConstraintsException bound) {
        return Optional.of(bound.getOriginalMessage().replaceAll(", from `[^`]*`", ""));
      }
    }
    return Optional.empty();
  }

  private static JsonMapper.Builder builder(boolean failOnUnknown, long mostTokens) {
    StreamReadConstraints bounds =
        StreamReadConstraints.builder().maxTokenCount(mostTokens).build();
    return JsonMapper.builder(JsonFactory.builder().streamReadConstraints(bounds).build())
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
