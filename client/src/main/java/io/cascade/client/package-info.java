/**
 * Classes that the client's verbs share: the orchestrator's address, and explanations of failures.
 */
@NullMarked
package io.cascade.client;

import org.jspecify.annotations.NullMarked;
