/** Certificates of relays and of the orchestrator that this project creates. */
@NullMarked
package io.cascade.command.certificate;

import org.jspecify.annotations.NullMarked;
