/** Campaigns of streams over several pipes between emulated paths, beside one path and MPTCP. */
@NullMarked
package io.cascade.studies.multipath;

import org.jspecify.annotations.NullMarked;
