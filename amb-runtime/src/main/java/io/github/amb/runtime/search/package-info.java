/** Which settings to try next, as pure functions of the trials so far. */
package io.github.amb.runtime.search;
