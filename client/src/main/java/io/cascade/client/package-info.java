/**
 * Parts that the client's verbs share: where the orchestrator is, and how failures are explained.
 */
@NullMarked
package io.cascade.client;

import org.jspecify.annotations.NullMarked;
