/** What all processes of the program share: plugins, its directory, limits, texts of failures. */
package io.github.amb.runtime.program;
