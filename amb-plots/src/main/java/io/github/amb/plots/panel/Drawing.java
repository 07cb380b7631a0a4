package io.github.amb.plots.panel;

import io.github.amb.plots.PlainText;
import java.util.List;

/**
 * What a figure shows, before it has a size.
 *
 * @param contents the panels that have data, in order
 * @param labels what the legend calls each series' group
 * @param caption a line or two on what is drawn; empty if that is plain
 * @param notes what is missing in the figure, one line each, for the user
 */
public record Drawing(
    List<Content> contents, List<String> labels, String caption, List<String> notes) {

  /** Labels and notes, which may have names of others in them, become plain text in one line. */
  public Drawing {
    labels = labels.stream().map(PlainText::inOneLine).toList();
    notes = notes.stream().map(PlainText::inOneLine).toList();
  }
}
