@NullMarked
package io.cascade.studies.beside;

import org.jspecify.annotations.NullMarked;
