/** Update rules, as plain loops over the flat vector, and their application by the master. */
package io.github.amb.core.update;
