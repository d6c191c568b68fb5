@NullMarked
package io.cascade.contract;

import org.jspecify.annotations.NullMarked;
