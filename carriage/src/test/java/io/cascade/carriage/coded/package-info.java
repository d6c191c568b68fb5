@NullMarked
package io.cascade.carriage.coded;

import org.jspecify.annotations.NullMarked;
