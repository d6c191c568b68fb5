/** Certificates that are made here, of relays and of the orchestrator. */
@NullMarked
package io.cascade.command.certificate;

import org.jspecify.annotations.NullMarked;
