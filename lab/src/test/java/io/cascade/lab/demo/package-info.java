@NullMarked
package io.cascade.lab.demo;

import org.jspecify.annotations.NullMarked;
