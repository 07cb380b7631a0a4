/** Options of parts: name, type, range and default of a value, and what is said of a wrong one. */
package io.github.amb.core.option;
