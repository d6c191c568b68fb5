package io.cascade.command;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Heads the options of a class, or a single one, in the help of every verb that has them. That of
 * an option goes before that of its class.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.FIELD})
public @interface OptionSection {
  /** Heading of options that are there only to compare what Cascade does with other ways. */
  String TO_COMPARE = "To compare with";

  /** The heading, without a colon. */
  String value();
}
