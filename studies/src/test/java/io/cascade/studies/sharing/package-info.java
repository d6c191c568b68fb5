@NullMarked
package io.cascade.studies.sharing;

import org.jspecify.annotations.NullMarked;
