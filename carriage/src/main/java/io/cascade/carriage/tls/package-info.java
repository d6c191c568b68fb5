/** TLS 1.3 on hops: a relay's identity, and the handler that seals and opens records. */
@NullMarked
package io.cascade.carriage.tls;

import org.jspecify.annotations.NullMarked;
