@NullMarked
package io.cascade.client.sealed;

import org.jspecify.annotations.NullMarked;
