/** Effect of relay failures on streams over two pipes. */
@NullMarked
package io.cascade.studies.survival;

import org.jspecify.annotations.NullMarked;
