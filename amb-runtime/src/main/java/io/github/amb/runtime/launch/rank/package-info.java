/** The rank's side of a launched run: reports, orders and the membership that they make. */
package io.github.amb.runtime.launch.rank;
