@NullMarked
package io.cascade.model.multipath;

import org.jspecify.annotations.NullMarked;
