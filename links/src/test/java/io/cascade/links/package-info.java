@NullMarked
package io.cascade.links;

import org.jspecify.annotations.NullMarked;
