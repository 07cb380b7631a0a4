/** What a step of training costs beyond the slowest worker's computation. */
package io.github.amb.bench.overhead;
