/** Commands that explain what the user can name, and completion of it in shells. */
package io.github.amb.runtime.catalog;
