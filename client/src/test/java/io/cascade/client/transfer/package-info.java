@NullMarked
package io.cascade.client.transfer;

import org.jspecify.annotations.NullMarked;
