@NullMarked
package io.cascade.client.verbs;

import org.jspecify.annotations.NullMarked;
