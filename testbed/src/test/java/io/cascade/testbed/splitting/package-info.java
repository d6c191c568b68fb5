@NullMarked
package io.cascade.testbed.splitting;

import org.jspecify.annotations.NullMarked;
