/** What each run reached and how fast, one row per run, as text, JSON or CSV. */
package io.github.amb.plots.summary;
