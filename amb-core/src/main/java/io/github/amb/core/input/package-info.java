/** Files that others wrote: how much of one is read, and what is said of one that is larger. */
package io.github.amb.core.input;
