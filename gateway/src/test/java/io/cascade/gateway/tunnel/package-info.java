@NullMarked
package io.cascade.gateway.tunnel;

import org.jspecify.annotations.NullMarked;
