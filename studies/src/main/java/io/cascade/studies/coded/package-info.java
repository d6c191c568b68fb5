/**
 * Studies of coded hops: sessions over modelled links in virtual time, and between processes in a
 * lab.
 */
@NullMarked
package io.cascade.studies.coded;

import org.jspecify.annotations.NullMarked;
