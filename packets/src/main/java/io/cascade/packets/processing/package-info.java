/**
 * Processing of the data and acknowledgments of a connection: duplicated, delayed, delivered,
 * dropped.
 */
@NullMarked
package io.cascade.packets.processing;

import org.jspecify.annotations.NullMarked;
