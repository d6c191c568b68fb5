@NullMarked
package io.cascade.client.measure;

import org.jspecify.annotations.NullMarked;
