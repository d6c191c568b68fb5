/** A splitter/combiner: classifier, admission, connections and processors put together. */
@NullMarked
package io.cascade.packets.scap;

import org.jspecify.annotations.NullMarked;
