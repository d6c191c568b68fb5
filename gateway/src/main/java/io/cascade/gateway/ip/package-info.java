/** Routes and addresses, set by the command ip(8). */
@NullMarked
package io.cascade.gateway.ip;

import org.jspecify.annotations.NullMarked;
