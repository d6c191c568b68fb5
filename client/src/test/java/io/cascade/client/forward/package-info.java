@NullMarked
package io.cascade.client.forward;

import org.jspecify.annotations.NullMarked;
