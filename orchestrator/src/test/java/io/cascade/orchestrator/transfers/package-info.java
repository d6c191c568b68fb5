@NullMarked
package io.cascade.orchestrator.transfers;

import org.jspecify.annotations.NullMarked;
