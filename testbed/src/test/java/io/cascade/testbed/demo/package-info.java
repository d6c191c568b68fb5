@NullMarked
package io.cascade.testbed.demo;

import org.jspecify.annotations.NullMarked;
