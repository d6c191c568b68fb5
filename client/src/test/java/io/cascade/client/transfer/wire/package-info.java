@NullMarked
package io.cascade.client.transfer.wire;

import org.jspecify.annotations.NullMarked;
