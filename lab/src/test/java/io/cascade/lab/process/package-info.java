@NullMarked
package io.cascade.lab.process;

import org.jspecify.annotations.NullMarked;
