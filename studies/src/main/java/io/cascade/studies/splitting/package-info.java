/** The splitter/combiner on emulated paths: chapter 6 of TKN-12-001 on this kernel. */
@NullMarked
package io.cascade.studies.splitting;

import org.jspecify.annotations.NullMarked;
