/**
 * Common parts of all studies: the verb, the runner of the remaining tasks, the folder of the
 * results and the page.
 */
@NullMarked
package io.cascade.studies.study;

import org.jspecify.annotations.NullMarked;
