/** Specifies what reports make of results. */
@NullMarked
package io.cascade.testbed.report;

import org.jspecify.annotations.NullMarked;
