/** Connections of a run: one frame, one handshake, and the gate that lets proven ranks in. */
package io.github.amb.runtime.net;
