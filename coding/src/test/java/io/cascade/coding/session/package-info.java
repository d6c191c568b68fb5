@NullMarked
package io.cascade.coding.session;

import org.jspecify.annotations.NullMarked;
