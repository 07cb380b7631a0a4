/** The interface between a scheme and its engine: messages, membership and time. */
package io.github.amb.core.engine;
