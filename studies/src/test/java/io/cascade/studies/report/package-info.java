/** Specifies what reports make of results. */
@NullMarked
package io.cascade.studies.report;

import org.jspecify.annotations.NullMarked;
