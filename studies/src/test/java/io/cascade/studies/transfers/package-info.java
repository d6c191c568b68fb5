@NullMarked
package io.cascade.studies.transfers;

import org.jspecify.annotations.NullMarked;
