/**
 * An end that runs as a service: sends files of its host when a program requests it over HTTP, by
 * the contract {@code transfers.yaml}. The entry point is {@link
 * io.cascade.client.service.TransferService}.
 */
@NullMarked
package io.cascade.client.service;

import org.jspecify.annotations.NullMarked;
