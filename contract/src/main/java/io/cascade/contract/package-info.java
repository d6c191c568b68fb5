/**
 * Answers of the model as documents of the REST contract: plans, estimates and the sentences in
 * them, for the orchestrator and for verbs that work without one. The documents are records of
 * {@code api-spec}.
 */
@NullMarked
package io.cascade.contract;

import org.jspecify.annotations.NullMarked;
