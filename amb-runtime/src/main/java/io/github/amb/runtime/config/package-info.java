/** Options, from the command line and from files, and what is checked before a run starts. */
package io.github.amb.runtime.config;
