@NullMarked
package io.cascade.studies.splitting;

import org.jspecify.annotations.NullMarked;
