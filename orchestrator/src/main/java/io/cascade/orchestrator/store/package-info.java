/** The database: location, access and migrations. */
@NullMarked
package io.cascade.orchestrator.store;

import org.jspecify.annotations.NullMarked;
