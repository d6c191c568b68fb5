@NullMarked
package io.cascade.client.entries;

import org.jspecify.annotations.NullMarked;
