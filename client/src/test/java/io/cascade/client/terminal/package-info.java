@NullMarked
package io.cascade.client.terminal;

import org.jspecify.annotations.NullMarked;
