/**
 * Behaviour that all verbs share: where settings come from, what an error looks like, exit codes.
 */
@NullMarked
package io.cascade.command;

import org.jspecify.annotations.NullMarked;
