package io.github.amb.plots.command;

import io.github.amb.plots.panel.Drawing;
import java.nio.file.Path;

/**
 * One figure to be written.
 *
 * @param drawing what it shows
 * @param prefix its files without their extensions
 */
record Page(Drawing drawing, Path prefix) {}
