package io.cascade.carriage.tls;

import java.net.InetSocketAddress;

/** Makes the engines of one relay, which share its identity and its resumable sessions. */
sealed interface TlsEngines permits JdkEngines, BoringSslEngines {

  /** Makes the engine of a connection that this relay opens to the relay with this certificate. */
  TlsEngine dialling(InetSocketAddress peer, Fingerprint expected);

  /** Makes the engine of a connection that this relay has accepted. */
  TlsEngine accepting();
}
