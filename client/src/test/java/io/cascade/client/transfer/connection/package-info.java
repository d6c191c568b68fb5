@NullMarked
package io.cascade.client.transfer.connection;

import org.jspecify.annotations.NullMarked;
