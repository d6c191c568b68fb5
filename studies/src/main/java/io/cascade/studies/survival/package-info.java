/** What streams over two pipes notice of relays' deaths. */
@NullMarked
package io.cascade.studies.survival;

import org.jspecify.annotations.NullMarked;
