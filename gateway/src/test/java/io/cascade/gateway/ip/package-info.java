@NullMarked
package io.cascade.gateway.ip;

import org.jspecify.annotations.NullMarked;
