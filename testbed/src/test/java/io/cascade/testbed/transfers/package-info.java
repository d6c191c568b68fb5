@NullMarked
package io.cascade.testbed.transfers;

import org.jspecify.annotations.NullMarked;
