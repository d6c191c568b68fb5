@NullMarked
package io.cascade.client.api;

import org.jspecify.annotations.NullMarked;
