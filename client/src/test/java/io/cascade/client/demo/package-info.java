@NullMarked
package io.cascade.client.demo;

import org.jspecify.annotations.NullMarked;
