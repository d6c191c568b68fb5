@NullMarked
package io.cascade.studies.reproduce;

import org.jspecify.annotations.NullMarked;
