@NullMarked
package io.cascade.gateway.scap;

import org.jspecify.annotations.NullMarked;
