/** What ranks print while they train, and what whoever started the run sees of it. */
package io.github.amb.runtime.console;
