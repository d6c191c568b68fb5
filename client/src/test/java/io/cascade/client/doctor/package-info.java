/** Tests of the doctor. */
@NullMarked
package io.cascade.client.doctor;

import org.jspecify.annotations.NullMarked;
