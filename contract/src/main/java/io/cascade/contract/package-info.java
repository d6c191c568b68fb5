/**
 * Plans and estimates in the words of the REST contract, for the orchestrator and for the verbs
 * that work without one.
 */
@NullMarked
package io.cascade.contract;

import org.jspecify.annotations.NullMarked;
