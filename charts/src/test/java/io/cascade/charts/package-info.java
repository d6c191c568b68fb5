@NullMarked
package io.cascade.charts;

import org.jspecify.annotations.NullMarked;
