/** Networks and data sets of a user's Python file, which a process of its own computes. */
package io.github.amb.models.python;
