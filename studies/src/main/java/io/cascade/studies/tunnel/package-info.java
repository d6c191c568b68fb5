/** Figure 6 of the TCP/NC tunnel with real gateways: networks, runs and the page. */
@NullMarked
package io.cascade.studies.tunnel;

import org.jspecify.annotations.NullMarked;
