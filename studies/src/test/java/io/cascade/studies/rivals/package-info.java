@NullMarked
package io.cascade.studies.rivals;

import org.jspecify.annotations.NullMarked;
