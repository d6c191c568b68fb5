package io.cascade.orchestrator.problems;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.context.MessageSourceResolvable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.validation.FieldError;
import org.springframework.validation.method.ParameterValidationResult;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.MissingRequestValueException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Converts every failure of a request, of the features and of Spring, into a problem document. */
@RestControllerAdvice
class ProblemMapping extends ResponseEntityExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ProblemMapping.class);

  private static final Pattern OF_RELAYS = Pattern.compile("/api/v1/(relays|links)/");
  private static final Pattern GATEWAY = Pattern.compile("/api/v1/gateways/[^/]+");

  private static final Pattern REFUSED_VALUE =
      Pattern.compile("^Cannot coerce \\w+ value \\((.{1,100}?)\\) to ");

  @ExceptionHandler
  ResponseEntity<Object> refused(Refusal refusal) {
    return answer(
        ProblemResponse.document(refusal.kind(), refusal.reason(), refusal.chainId()),
        HttpHeaders.EMPTY);
  }

  @ExceptionHandler
  ResponseEntity<Object> failed(RuntimeException failure) {
    LOG.error("a request failed", failure);
    return answer(
        ProblemResponse.document(
            ProblemKind.INTERNAL, "internal error; the orchestrator's log has the reason", null),
        HttpHeaders.EMPTY);
  }

  @Override
  protected ResponseEntity<Object> handleExceptionInternal(
      Exception failure,
      @Nullable Object body,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    Refusal whileRead = refusal(failure);
    if (whileRead != null) {
      return refused(whileRead);
    }
    Optional<String> exceeded = Json.exceeded(failure);
    if (exceeded.isPresent()) {
      return answer(
          ProblemResponse.document(ProblemKind.TOO_LARGE, "body: " + exceeded.get(), null),
          headers);
    }
    if (failure instanceof HandlerMethodValidationException invalid && isAboutPath(invalid)) {
      ProblemKind unknown = unknown(request);
      if (unknown != null) {
        return answer(ProblemResponse.document(unknown, invalid(invalid), null), headers);
      }
    }
    ProblemKind kind =
        switch (status.value()) {
          case 404 -> ProblemKind.NOT_FOUND;
          case 405 -> ProblemKind.METHOD_NOT_ALLOWED;
          case 406 -> ProblemKind.NOT_ACCEPTABLE;
          case 413 -> ProblemKind.TOO_LARGE;
          case 415 -> ProblemKind.UNSUPPORTED_MEDIA_TYPE;
          default -> status.is4xxClientError() ? ProblemKind.INVALID_REQUEST : ProblemKind.INTERNAL;
        };
    if (kind == ProblemKind.INTERNAL) {
      LOG.error("a request failed", failure);
    }
    return answer(ProblemResponse.document(kind, detail(failure, kind), null), headers);
  }

  /**
   * The refusal that ended the reading of the body: Jackson wraps it as the cause of its own
   * failure.
   */
  private static @Nullable Refusal refusal(Exception failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof Refusal refusal) {
        return refusal;
      }
    }
    return null;
  }

  private static ResponseEntity<Object> answer(Problem problem, HttpHeaders headers) {
    return ResponseEntity.status(problem.status())
        .headers(headers)
        .contentType(MediaType.APPLICATION_PROBLEM_JSON)
        .body(problem);
  }

  private static boolean isAboutPath(HandlerMethodValidationException failure) {
    return failure.getParameterValidationResults().stream()
        .allMatch(result -> result.getMethodParameter().hasParameterAnnotation(PathVariable.class));
  }

  /**
   * The kind of an unknown object, since a text that is not a valid name names none; null if the
   * call may create a new name.
   */
  private static @Nullable ProblemKind unknown(WebRequest request) {
    String path = ((ServletWebRequest) request).getRequest().getRequestURI();
    if (OF_RELAYS.matcher(path).lookingAt()) {
      return ProblemKind.UNKNOWN_RELAY;
    }
    return GATEWAY.matcher(path).matches() ? ProblemKind.UNKNOWN_GATEWAY : null;
  }

  private static String detail(Exception failure, ProblemKind kind) {
    return switch (failure) {
      case HttpMessageNotReadableException unreadable -> unreadable(unreadable);
      case MethodArgumentNotValidException invalid ->
          invalid.getFieldErrors().stream()
              .map(error -> error.getField() + ": " + error.getDefaultMessage())
              .sorted()
              .collect(Collectors.joining("; "));
      case HandlerMethodValidationException invalid -> invalid(invalid);
      case MethodArgumentTypeMismatchException mismatch ->
          mismatch.getName() + ": " + mismatch.getValue() + expected(mismatch.getRequiredType());
      case TypeMismatchException mismatch ->
          mismatch.getValue() + expected(mismatch.getRequiredType());
      case MissingRequestValueException missing ->
          Objects.requireNonNullElse(missing.getBody().getDetail(), kind.title());
      case HttpMediaTypeNotSupportedException type ->
          "Content-Type: " + type.getContentType() + " (expected: application/json)";
      case HttpRequestMethodNotSupportedException method ->
          method.getMethod()
              + " (expected: "
              + String.join(
                  ", ",
                  Objects.requireNonNullElse(
                      method.getSupportedMethods(), new String[] {"another"}))
              + ")";
      default -> kind.title();
    };
  }

  private static String unreadable(HttpMessageNotReadableException failure) {
    return switch (failure.getCause()) {
      case UnrecognizedPropertyException unknown ->
          path(unknown)
              + ": not a property (expected one of: "
              + unknown.getKnownPropertyIds().stream()
                  .map(String::valueOf)
                  .sorted()
                  .collect(Collectors.joining(", "))
              + ")";
      case InvalidFormatException format ->
          path(format) + ": " + format.getValue() + expected(format.getTargetType());
      case MismatchedInputException mismatch ->
          path(mismatch) + refused(mismatch) + expected(mismatch.getTargetType());
      case DatabindException mismatch -> path(mismatch) + ": " + firstLine(mismatch);
      case JacksonException malformed -> "not JSON: " + firstLine(malformed);
      case null, default -> "a JSON body is expected";
    };
  }

  /** The refused value as it was written, if Jackson knows it: a text with its quotes. */
  private static String refused(MismatchedInputException failure) {
    Matcher value = REFUSED_VALUE.matcher(firstLine(failure));
    return value.find() ? ": " + value.group(1) : "";
  }

  private static String path(DatabindException failure) {
    List<String> steps = new ArrayList<>();
    failure
        .getPath()
        .forEach(step ->
            steps.add(
                step.getPropertyName() != null
                    ? step.getPropertyName()
                    : "[" + step.getIndex() + "]"));
    return steps.isEmpty() ? "body" : String.join(".", steps).replace(".[", "[");
  }

  private static String firstLine(JacksonException failure) {
    return String.valueOf(failure.getOriginalMessage()).lines().findFirst().orElse("malformed");
  }

  private static String invalid(HandlerMethodValidationException failure) {
    List<String> errors = new ArrayList<>();
    for (ParameterValidationResult result : failure.getParameterValidationResults()) {
      String parameter =
          Objects.requireNonNullElse(result.getMethodParameter().getParameterName(), "value");
      for (MessageSourceResolvable error : result.getResolvableErrors()) {
        String at = error instanceof FieldError field ? field.getField() : parameter + said(result);
        errors.add(at + ": " + error.getDefaultMessage());
      }
    }
    return errors.stream().sorted().collect(Collectors.joining("; "));
  }

  private static String said(ParameterValidationResult result) {
    Object argument = result.getArgument();
    return argument instanceof String || argument instanceof Number ? " " + argument : "";
  }

  private static String expected(@Nullable Class<?> type) {
    if (type == null) {
      return " (expected: another value)";
    }
    Object[] constants = type.getEnumConstants();
    if (constants != null) {
      return " (expected one of: "
          + Arrays.stream(constants).map(String::valueOf).collect(Collectors.joining(", "))
          + ")";
    }
    if (Collection.class.isAssignableFrom(type)) {
      return " (expected: an array)";
    }
    return " (expected: "
        + switch (type.getSimpleName()) {
          case "Integer", "Long", "int", "long" -> "a whole number";
          case "Double", "double" -> "a number";
          case "Boolean", "boolean" -> "true or false";
          case "UUID" -> "a UUID";
          case "String" -> "a string";
          default -> "an object";
        }
        + ")";
  }
}
