/** The engine that carries frames between ranks over MPJ Express. */
package io.github.amb.runtime.mpj;
