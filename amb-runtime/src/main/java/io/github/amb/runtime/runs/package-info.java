/** {@code amb runs}: finds runs again, compares them, removes and archives them. */
package io.github.amb.runtime.runs;
