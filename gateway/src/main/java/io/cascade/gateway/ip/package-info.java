/** Routes and addresses, by the command ip. */
@NullMarked
package io.cascade.gateway.ip;

import org.jspecify.annotations.NullMarked;
