/** The engine that carries messages between ranks over MPJ Express, in generations of worlds. */
package io.github.amb.runtime.mpj;
