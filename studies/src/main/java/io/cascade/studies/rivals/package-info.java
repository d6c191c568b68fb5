/**
 * A send and a receive, held to the link that they use and to what a user would take instead: plain
 * TCP connections and other tools, on the same emulated paths.
 */
@NullMarked
package io.cascade.studies.rivals;

import org.jspecify.annotations.NullMarked;
