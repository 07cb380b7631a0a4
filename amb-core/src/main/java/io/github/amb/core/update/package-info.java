/** Update rules that the master applies: plain loops over the flat parameter vector. */
package io.github.amb.core.update;
