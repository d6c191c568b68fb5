/**
 * A splitter/combiner for TCP connections (SCAP, TKN-12-001), which combines classifier, admission,
 * connections and processors. The splitter of the module {@code gateway} runs it.
 */
@NullMarked
package io.cascade.packets.scap;

import org.jspecify.annotations.NullMarked;
