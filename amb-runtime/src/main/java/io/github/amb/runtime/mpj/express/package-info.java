/**
 * The only classes that call MPJ Express; loaded by {@link io.github.amb.runtime.mpj.WorldLoader}.
 */
package io.github.amb.runtime.mpj.express;
