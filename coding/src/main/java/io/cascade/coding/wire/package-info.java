/** Datagrams of a coded session, byte by byte; docs/how/coding.md has the formats. */
@NullMarked
package io.cascade.coding.wire;

import org.jspecify.annotations.NullMarked;
