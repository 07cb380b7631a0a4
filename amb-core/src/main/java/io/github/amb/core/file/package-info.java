/** Files: durable writing, places that others can write to, and reading within limits. */
package io.github.amb.core.file;
