/** Many streams of bytes in one coded session, none of which holds up another. */
@NullMarked
package io.cascade.coding.stream;

import org.jspecify.annotations.NullMarked;
