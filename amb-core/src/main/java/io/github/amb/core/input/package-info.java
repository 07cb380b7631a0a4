/** Reading of foreign files within limits. */
package io.github.amb.core.input;
