@NullMarked
package io.cascade.client.transfer.receiver;

import org.jspecify.annotations.NullMarked;
