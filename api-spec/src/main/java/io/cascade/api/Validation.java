package io.cascade.api;

import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks a contract's record against the constraints of its components: {@code NotNull}, {@code
 * Min}, {@code Max}, {@code DecimalMin}, {@code DecimalMax}, {@code Size}, {@code Pattern} and
 * nested {@code Valid}.
 *
 * <p>It reads the annotations itself because a full Bean Validation provider costs a relay several
 * times the memory of everything else that the control endpoint needs. A component with an
 * unsupported constraint fails when the record is first checked, in a test.
 *
 * <p>Violations never contain the refused texts, since one of them may be a key.
 */
public final class Validation {
  private static final int MOST_COMPLAINTS = 8;
  private static final ClassValue<List<Check>> CHECKS =
      new ClassValue<>() {
        @Override
        protected List<Check> computeValue(Class<?> type) {
          return Arrays.stream(type.getRecordComponents()).map(Check::of).toList();
        }
      };

  private final List<String> violations = new ArrayList<>();

  private Validation() {}

  /** Returns the violations of a record, a line for each property; empty if there are none. */
  public static List<String> violations(Record document) {
    Validation validation = new Validation();
    validation.record("", document);
    return List.copyOf(validation.violations);
  }

  private void record(String prefix, Record document) {
    for (Check check : CHECKS.get(document.getClass())) {
      if (violations.size() == MOST_COMPLAINTS) {
        return;
      }
      check(prefix + check.component.getName(), check, check.valueIn(document));
    }
  }

  private void check(String path, Check check, @Nullable Object value) {
    if (value == null) {
      if (check.required) {
        violations.add(path + ": missing");
      }
      return;
    }
    switch (value) {
      case Number number -> range(path, check, number);
      case String text -> text(path, check, text);
      case Collection<?> items -> items(path, check, items);
      case Map<?, ?> entries -> size(path, check, entries.size(), "entries");
      case Record nested when check.nested -> record(path + ".", nested);
      default -> {}
    }
  }

  private void range(String path, Check check, Number number) {
    if (number instanceof Double real) {
      realRange(path, check, real);
      return;
    }
    long value = number.longValue();
    if ((check.min != null && value < check.min) || (check.max != null && value > check.max)) {
      violations.add(path + ": " + number + " (expected: " + expected(check.min, check.max) + ")");
    }
  }

  private void realRange(String path, Check check, double value) {
    DecimalMin min = check.realMin;
    DecimalMax max = check.realMax;
    boolean below = min != null && !isAtLeast(value, min);
    boolean above = max != null && !(value <= Double.parseDouble(max.value()));
    if (below || above) {
      violations.add(path + ": " + value + " (expected: " + expected(min, max) + ")");
    }
  }

  private static boolean isAtLeast(double value, DecimalMin min) {
    double bound = Double.parseDouble(min.value());
    return min.inclusive() ? value >= bound : value > bound;
  }

  private void text(String path, Check check, String text) {
    size(path, check, text.length(), "characters");
    if (check.pattern != null && !check.pattern.matcher(text).matches()) {
      violations.add(path + ": not of the expected form (expected: " + check.form + ")");
    }
  }

  private void items(String path, Check check, Collection<?> items) {
    size(path, check, items.size(), "entries");
    int index = 0;
    for (Object item : items) {
      if (violations.size() == MOST_COMPLAINTS) {
        return;
      }
      String at = path + "[" + index++ + "]";
      if (item == null) {
        violations.add(at + ": missing");
      } else if (item instanceof Record nested) {
        record(at + ".", nested);
      }
    }
  }

  private void size(String path, Check check, int size, String unit) {
    Size limits = check.size;
    if (limits != null && (size < limits.min() || size > limits.max())) {
      Long max = limits.max() == Integer.MAX_VALUE ? null : (long) limits.max();
      violations.add(
          path
              + ": "
              + size
              + " "
              + unit
              + " (expected: "
              + expected((long) limits.min(), max)
              + ")");
    }
  }

  private static String expected(@Nullable Long min, @Nullable Long max) {
    if (min == null) {
      return "at most " + max;
    }
    return max == null ? "at least " + min : min + " to " + max;
  }

  private static String expected(@Nullable DecimalMin min, @Nullable DecimalMax max) {
    String least = min == null ? "" : (min.inclusive() ? "at least " : "more than ") + min.value();
    String most = max == null ? "" : "at most " + max.value();
    return least + (least.isEmpty() || most.isEmpty() ? "" : ", ") + most;
  }

  /** The constraints of one component. */
  private record Check(
      RecordComponent component,
      boolean required,
      boolean nested,
      @Nullable Long min,
      @Nullable Long max,
      @Nullable DecimalMin realMin,
      @Nullable DecimalMax realMax,
      @Nullable Size size,
      java.util.regex.@Nullable Pattern pattern,
      @Nullable String form) {

    /** The message of a pattern that has no message of its own. */
    private static final String NO_MESSAGE = "{jakarta.validation.constraints.Pattern.message}";

    private static final List<Class<?>> KNOWN =
        List.of(
            NotNull.class,
            Min.class,
            Max.class,
            DecimalMin.class,
            DecimalMax.class,
            Size.class,
            Pattern.class);

    static Check of(RecordComponent component) {
      // Record components cannot declare these constraints; the compiler puts them on the accessor.
      AnnotatedElement accessor = component.getAccessor();
      for (var annotation : accessor.getAnnotations()) {
        Class<?> type = annotation.annotationType();
        if (type.getPackageName().equals(NotNull.class.getPackageName()) && !KNOWN.contains(type)) {
          throw new IllegalStateException(component + ": no check for " + annotation);
        }
      }
      Min min = accessor.getAnnotation(Min.class);
      Max max = accessor.getAnnotation(Max.class);
      Pattern pattern = accessor.getAnnotation(Pattern.class);
      return new Check(
          component,
          accessor.isAnnotationPresent(NotNull.class),
          accessor.isAnnotationPresent(Valid.class),
          min == null ? null : min.value(),
          max == null ? null : max.value(),
          accessor.getAnnotation(DecimalMin.class),
          accessor.getAnnotation(DecimalMax.class),
          accessor.getAnnotation(Size.class),
          pattern == null ? null : java.util.regex.Pattern.compile(pattern.regexp()),
          pattern == null ? null : form(pattern));
    }

    /** The expected form in words; the pattern itself if the contract has no words for it. */
    private static String form(Pattern pattern) {
      return pattern.message().equals(NO_MESSAGE) ? pattern.regexp() : pattern.message();
    }

    @Nullable Object valueIn(Record document) {
      try {
        return component.getAccessor().invoke(document);
      } catch (IllegalAccessException | InvocationTargetException e) {
        throw new IllegalStateException(component + " cannot be read", e);
      }
    }
  }
}
