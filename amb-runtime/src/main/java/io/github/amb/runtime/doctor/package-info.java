/** {@code amb doctor}: whether this machine can run what it is asked to, and what to do if not. */
package io.github.amb.runtime.doctor;
