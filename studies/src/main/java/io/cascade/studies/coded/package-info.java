/** Coded hops as far as they go: sessions over modelled links, in virtual time. */
@NullMarked
package io.cascade.studies.coded;

import org.jspecify.annotations.NullMarked;
