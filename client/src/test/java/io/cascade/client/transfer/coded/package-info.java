@NullMarked
package io.cascade.client.transfer.coded;

import org.jspecify.annotations.NullMarked;
