/** Studies of streams over several pipes on emulated paths, beside single paths and MPTCP. */
@NullMarked
package io.cascade.studies.multipath;

import org.jspecify.annotations.NullMarked;
