/** Output of verbs for people: tables, quantities, a progress line. */
@NullMarked
package io.cascade.client.terminal;

import org.jspecify.annotations.NullMarked;
