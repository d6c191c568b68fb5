/** The verbs of the command line, a class each: parse, call, print. */
@NullMarked
package io.cascade.client.verbs;

import org.jspecify.annotations.NullMarked;
