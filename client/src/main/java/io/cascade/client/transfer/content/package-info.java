/** Data about a file's bytes: ranges, checksums of extents, holes, and the SHA-256 of the whole. */
@NullMarked
package io.cascade.client.transfer.content;

import org.jspecify.annotations.NullMarked;
