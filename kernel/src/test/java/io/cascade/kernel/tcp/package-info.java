@NullMarked
package io.cascade.kernel.tcp;

import org.jspecify.annotations.NullMarked;
