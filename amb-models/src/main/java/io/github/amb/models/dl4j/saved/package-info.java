/** Networks in DL4J's files: reading, writing, and layers of an earlier version. */
package io.github.amb.models.dl4j.saved;
