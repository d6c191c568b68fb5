/** Which of several orchestrators leads, and until when; what the others may not do meanwhile. */
@NullMarked
package io.cascade.orchestrator.leadership;

import org.jspecify.annotations.NullMarked;
