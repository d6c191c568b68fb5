/** Behaviour that all verbs share: sources of settings, format of errors, exit codes. */
@NullMarked
package io.cascade.command;

import org.jspecify.annotations.NullMarked;
