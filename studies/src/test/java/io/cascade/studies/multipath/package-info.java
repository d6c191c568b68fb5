@NullMarked
package io.cascade.studies.multipath;

import org.jspecify.annotations.NullMarked;
