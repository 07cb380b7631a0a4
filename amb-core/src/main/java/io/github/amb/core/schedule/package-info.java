/** Learning-rate schedules. */
package io.github.amb.core.schedule;
