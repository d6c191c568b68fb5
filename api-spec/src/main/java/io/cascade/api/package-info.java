/** How the contracts' documents are written and read, and the exception that carries a problem. */
@NullMarked
package io.cascade.api;

import org.jspecify.annotations.NullMarked;
