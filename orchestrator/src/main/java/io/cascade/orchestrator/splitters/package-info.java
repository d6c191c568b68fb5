/** Splitter/combiners that report, for operators to see. */
@NullMarked
package io.cascade.orchestrator.splitters;

import org.jspecify.annotations.NullMarked;
