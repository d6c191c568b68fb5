/** Charts of lines and bars as SVG and PNG, for reports. */
@NullMarked
package io.cascade.charts;

import org.jspecify.annotations.NullMarked;
