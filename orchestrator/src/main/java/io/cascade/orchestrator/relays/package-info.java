/** The relays that announced themselves, and whether they still live. */
@NullMarked
package io.cascade.orchestrator.relays;

import org.jspecify.annotations.NullMarked;
