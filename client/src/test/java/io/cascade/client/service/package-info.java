@NullMarked
package io.cascade.client.service;

import org.jspecify.annotations.NullMarked;
