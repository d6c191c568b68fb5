@NullMarked
package io.cascade.siting;

import org.jspecify.annotations.NullMarked;
