@NullMarked
package io.cascade.testbed.coded;

import org.jspecify.annotations.NullMarked;
