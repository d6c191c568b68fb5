@NullMarked
package io.cascade.studies.coded;

import org.jspecify.annotations.NullMarked;
