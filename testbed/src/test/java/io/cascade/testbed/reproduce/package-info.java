@NullMarked
package io.cascade.testbed.reproduce;

import org.jspecify.annotations.NullMarked;
