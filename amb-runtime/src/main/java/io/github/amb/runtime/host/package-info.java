/** The hosts of a run: who they are, which address they use, how programs are started on them. */
package io.github.amb.runtime.host;
