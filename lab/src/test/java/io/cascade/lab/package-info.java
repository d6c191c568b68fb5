@NullMarked
package io.cascade.lab;

import org.jspecify.annotations.NullMarked;
