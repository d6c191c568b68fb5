@NullMarked
package io.cascade.studies.topologies;

import org.jspecify.annotations.NullMarked;
