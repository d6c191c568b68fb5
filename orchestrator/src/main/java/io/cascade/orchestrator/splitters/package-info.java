/** Splitter/combiners that report: what they say of themselves, for operators to see. */
@NullMarked
package io.cascade.orchestrator.splitters;

import org.jspecify.annotations.NullMarked;
