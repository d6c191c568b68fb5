@NullMarked
package io.cascade.client.estimate;

import org.jspecify.annotations.NullMarked;
