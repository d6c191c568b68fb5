@NullMarked
package io.cascade.testbed.lab;

import org.jspecify.annotations.NullMarked;
