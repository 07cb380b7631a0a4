/** The engine that carries messages between ranks over MPJ Express. */
package io.github.amb.runtime.mpj;
