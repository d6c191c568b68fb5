package io.cascade.command;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The most common options of a verb: {@code --help} shows only these, {@code --help-all} shows all.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface FirstOptions {
  /** Their names, such as {@code --to}, in the order in which help shows them. */
  String[] value();
}
