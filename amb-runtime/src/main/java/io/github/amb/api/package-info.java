/**
 * Training from a program: {@link io.github.amb.api.Training} checks and runs it, {@link
 * io.github.amb.api.TrainingResult} has what was learned.
 */
package io.github.amb.api;
