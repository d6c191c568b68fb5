@NullMarked
package io.cascade.studies.study;

import org.jspecify.annotations.NullMarked;
