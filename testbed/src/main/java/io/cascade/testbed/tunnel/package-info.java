/** Figure 6 of the TCP/NC tunnel with real gateways: networks, runs, the page. */
@NullMarked
package io.cascade.testbed.tunnel;

import org.jspecify.annotations.NullMarked;
