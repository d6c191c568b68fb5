@NullMarked
package io.cascade.studies.tunnel;

import org.jspecify.annotations.NullMarked;
