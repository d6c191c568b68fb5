@NullMarked
package io.cascade.gateway.reporting;

import org.jspecify.annotations.NullMarked;
