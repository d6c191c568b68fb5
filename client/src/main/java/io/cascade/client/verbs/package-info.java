/**
 * Verbs of the command line, a class each: options, output, exit codes. Other packages do not
 * depend on picocli.
 */
@NullMarked
package io.cascade.client.verbs;

import org.jspecify.annotations.NullMarked;
