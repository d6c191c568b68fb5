/** What an orchestrator serves while another one leads. */
@NullMarked
package io.cascade.orchestrator.standby;

import org.jspecify.annotations.NullMarked;
