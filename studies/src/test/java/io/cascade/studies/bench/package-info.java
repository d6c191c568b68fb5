@NullMarked
package io.cascade.studies.bench;

import org.jspecify.annotations.NullMarked;
