/** Reading and writing of the contracts' documents. */
@NullMarked
package io.cascade.api;

import org.jspecify.annotations.NullMarked;
