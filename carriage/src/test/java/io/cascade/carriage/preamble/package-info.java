@NullMarked
package io.cascade.carriage.preamble;

import org.jspecify.annotations.NullMarked;
