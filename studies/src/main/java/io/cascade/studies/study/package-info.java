/**
 * What every study has in common: the verb, the runner that measures what is left, the folder of
 * its results and its page.
 */
@NullMarked
package io.cascade.studies.study;

import org.jspecify.annotations.NullMarked;
