@NullMarked
package io.cascade.model.calibration;

import org.jspecify.annotations.NullMarked;
