@NullMarked
package io.cascade.testbed.topologies;

import org.jspecify.annotations.NullMarked;
