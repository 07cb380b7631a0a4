/**
 * Finished runs: finds them again, compares, removes, archives and exports them, and says what one
 * would have taken on other workers or with another scheme.
 */
package io.github.amb.runtime.runs;
