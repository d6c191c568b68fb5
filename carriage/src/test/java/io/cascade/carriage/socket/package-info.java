@NullMarked
package io.cascade.carriage.socket;

import org.jspecify.annotations.NullMarked;
