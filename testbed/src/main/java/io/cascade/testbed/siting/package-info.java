/** What choosing sites costs. */
@NullMarked
package io.cascade.testbed.siting;

import org.jspecify.annotations.NullMarked;
