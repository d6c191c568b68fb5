/**
 * Folders and files as one stream of entries, a pax archive: walked and encoded at the sender,
 * created again below one folder at the receiver. Memory use does not grow with the number of
 * entries.
 */
@NullMarked
package io.cascade.client.entries;

import org.jspecify.annotations.NullMarked;
