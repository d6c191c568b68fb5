package io.cascade.orchestrator.splitters;

import io.cascade.api.orchestrator.SplitterReport;
import java.time.Instant;

/**
 * A splitter and its last report.
 *
 * @param heardAt in steady time
 */
record KnownSplitter(String name, SplitterReport report, Instant heardAt) {}
