@NullMarked
package io.cascade.simulation;

import org.jspecify.annotations.NullMarked;
