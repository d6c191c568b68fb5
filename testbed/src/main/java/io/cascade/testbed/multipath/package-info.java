/** Campaigns of streams over several pipes between emulated paths, beside one path and MPTCP. */
@NullMarked
package io.cascade.testbed.multipath;

import org.jspecify.annotations.NullMarked;
