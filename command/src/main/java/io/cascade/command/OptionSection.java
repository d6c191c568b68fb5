package io.cascade.command;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Heading of the options of a class, or of a single one, in the help of every verb that has them.
 * The heading of an option takes precedence over that of its class.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.FIELD})
public @interface OptionSection {
  /** Heading of options that exist only to compare Cascade with other ways. */
  String TO_COMPARE = "For comparison";

  /** The heading, without a colon. */
  String value();
}
