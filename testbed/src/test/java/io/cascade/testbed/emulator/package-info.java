@NullMarked
package io.cascade.testbed.emulator;

import org.jspecify.annotations.NullMarked;
