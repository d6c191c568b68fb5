/** What streams over several pipes carry between emulated paths, beside one path and MPTCP. */
@NullMarked
package io.cascade.testbed.multipath;

import org.jspecify.annotations.NullMarked;
