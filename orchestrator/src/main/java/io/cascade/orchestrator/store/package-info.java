/** The database: where it lies, and how it is brought up to date. */
@NullMarked
package io.cascade.orchestrator.store;

import org.jspecify.annotations.NullMarked;
