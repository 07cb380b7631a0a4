/** What a scheme asks of the engine that carries it: messages, membership and time. */
package io.github.amb.core.engine;
