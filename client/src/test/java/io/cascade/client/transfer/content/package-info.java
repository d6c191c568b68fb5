@NullMarked
package io.cascade.client.transfer.content;

import org.jspecify.annotations.NullMarked;
