/** The server of an orchestrator on standby. */
@NullMarked
package io.cascade.orchestrator.standby;

import org.jspecify.annotations.NullMarked;
