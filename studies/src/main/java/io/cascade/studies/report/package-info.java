/** Reports of experiments: statistics, the model's predictions beside them, pages and charts. */
@NullMarked
package io.cascade.studies.report;

import org.jspecify.annotations.NullMarked;
