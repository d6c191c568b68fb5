/** Reading and writing of the contracts' documents, and the exception that carries a problem. */
@NullMarked
package io.cascade.api;

import org.jspecify.annotations.NullMarked;
