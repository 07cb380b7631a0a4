/** Completion of commands, options and names in shells, made from the commands' own tables. */
package io.github.amb.runtime.completion;
