/** The demonstration over an emulated long path: the same file directly and by Cascade's choice. */
@NullMarked
package io.cascade.lab.demo;

import org.jspecify.annotations.NullMarked;
