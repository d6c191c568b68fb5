/**
 * An end that runs as a service: sends files of its host when a program asks for it over HTTP, by
 * the contract {@code transfers.yaml}. {@link io.cascade.client.service.TransferService} is the way
 * in.
 */
@NullMarked
package io.cascade.client.service;

import org.jspecify.annotations.NullMarked;
