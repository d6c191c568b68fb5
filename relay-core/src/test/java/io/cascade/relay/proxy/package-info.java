/** Tests of the parts that proxies are made of. */
@NullMarked
package io.cascade.relay.proxy;

import org.jspecify.annotations.NullMarked;
