package io.cascade.lab.demo;

/** Something that must hold after a demonstration. */
record Check(String what, boolean held) {}
