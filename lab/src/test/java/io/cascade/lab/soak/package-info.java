@NullMarked
package io.cascade.lab.soak;

import org.jspecify.annotations.NullMarked;
