package io.cascade.orchestrator.store;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Ends an orchestrator that has lost its database to another one. */
@Component
class DatabaseLockWatch {
  private final DatabaseLock soleUse;
  private final ConfigurableApplicationContext application;

  DatabaseLockWatch(DatabaseLock soleUse, ConfigurableApplicationContext application) {
    this.soleUse = soleUse;
    this.application = application;
  }

  @EventListener(ApplicationReadyEvent.class)
  void start() {
    // On a thread of its own: the one that looks is waited for when the application closes.
    soleUse.keep(() -> Thread.ofPlatform().name("end").start(application::close));
  }
}
