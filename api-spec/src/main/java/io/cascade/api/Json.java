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
 * The mappers with which this project reads JSON; it writes it in one form only. Documents of
 * untrusted senders have a limit of tokens: the limit of a list is checked only when it is
 * complete, and three bytes of text can become an object of a hundred bytes.
 */
public final class Json {
  /**
   * Most tokens of a request. A heartbeat with ten thousand links has 220,000; one with as many
   * leases has 10,000.
   */
  static final long MOST_OF_REQUEST = 1_000_000;

  /** Most tokens of a relay's answer. Ten thousand streams of two pipes each have 1,500,000. */
  static final long MOST_OF_ANSWER = 2_000_000;

  private static final JsonMapper LENIENT = builder(false, Long.MAX_VALUE).build();
  private static final JsonMapper BOUNDED = builder(false, MOST_OF_ANSWER).build();
  private static final JsonMapper EXTENSIBLE =
      forbidConversion(builder(false, MOST_OF_REQUEST)).build();
  private static final JsonMapper STRICT = forbidConversion(builder(true, MOST_OF_REQUEST)).build();

  private Json() {}

  /**
   * The mapper for clients and for files: properties that a newer server added are ignored.
   * Unlimited size.
   */
  public static JsonMapper lenient() {
    return LENIENT;
  }

  /** The mapper for answers of untrusted servers: as {@link #lenient}, with limited size. */
  public static JsonMapper bounded() {
    return BOUNDED;
  }

  /**
   * The mapper for servers, for documents of relays, gateways and orchestrators: properties that a
   * newer version added are ignored, and a value of a wrong type is an error.
   */
  public static JsonMapper extensible() {
    return EXTENSIBLE;
  }

  /**
   * The mapper for servers, for requests of people and their programs: an unknown property, or a
   * value of a wrong type, is an error of the caller, and is reported.
   */
  public static JsonMapper strict() {
    return STRICT;
  }

  /**
   * The limit because of which a document was refused, in words; empty if it was refused for
   * another reason.
   */
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
   * Forbids conversions between texts and numbers: a likely error is not corrected silently. An
   * empty text does not count as an absent time or identifier. Lists and maps of the contracts have
   * no null elements.
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
