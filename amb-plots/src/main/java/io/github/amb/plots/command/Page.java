package io.github.amb.plots.command;

import io.github.amb.plots.panel.Drawing;
import java.nio.file.Path;

/**
 * A figure to write.
 *
 * @param drawing its content
 * @param prefix path of its files without extension
 */
record Page(Drawing drawing, Path prefix) {}
