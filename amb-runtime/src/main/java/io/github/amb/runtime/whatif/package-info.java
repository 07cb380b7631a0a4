/** What a recorded run would have taken on other workers, or with another scheme. */
package io.github.amb.runtime.whatif;
