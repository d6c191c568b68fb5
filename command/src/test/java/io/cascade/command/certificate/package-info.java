/** Tests of the certificates that are made here. */
@NullMarked
package io.cascade.command.certificate;

import org.jspecify.annotations.NullMarked;
