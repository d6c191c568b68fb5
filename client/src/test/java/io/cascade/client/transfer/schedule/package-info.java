@NullMarked
package io.cascade.client.transfer.schedule;

import org.jspecify.annotations.NullMarked;
