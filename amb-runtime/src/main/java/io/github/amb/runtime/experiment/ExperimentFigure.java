package io.github.amb.runtime.experiment;

import java.util.List;

/**
 * One panel of {@code amb plot}.
 *
 * @param name part of the files' names
 * @param panel as {@code --subset} takes it
 * @param variants whose runs it shows; empty for all
 * @param options further arguments
 */
record ExperimentFigure(String name, String panel, List<String> variants, List<String> options) {}
