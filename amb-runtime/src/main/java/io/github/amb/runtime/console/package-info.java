/** What ranks print while they train. */
package io.github.amb.runtime.console;
