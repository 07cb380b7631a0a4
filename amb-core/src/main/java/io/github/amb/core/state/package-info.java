/** What a rank remembers between steps, as checkpoints save it and other processes take it over. */
package io.github.amb.core.state;
