/** Line charts as SVG and PNG, for whoever reports numbers. */
@NullMarked
package io.cascade.charts;

import org.jspecify.annotations.NullMarked;
