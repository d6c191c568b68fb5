/**
 * Verbs of the command line, a class each: options, output, exit codes. Nothing else knows picocli.
 */
@NullMarked
package io.cascade.client.verbs;

import org.jspecify.annotations.NullMarked;
