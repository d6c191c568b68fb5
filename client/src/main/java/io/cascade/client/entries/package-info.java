/**
 * Folders as one stream of entries: walked, encoded as a pax archive, and created again below one
 * folder. Memory does not grow with the number of entries.
 */
@NullMarked
package io.cascade.client.entries;

import org.jspecify.annotations.NullMarked;
