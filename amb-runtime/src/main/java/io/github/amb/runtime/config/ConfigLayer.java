package io.github.amb.runtime.config;

import java.util.Map;

/**
 * The options of one file: those that always apply, and sections of options for single schemes.
 *
 * @param always options outside sections
 * @param sections options that apply if the scheme of the run has the section's name
 */
record ConfigLayer(Settings always, Map<String, Settings> sections) {
  /**
   * The options of a run.
   *
   * @param scheme of the run; null if it is not known, then no section applies
   */
  Settings of(String scheme) {
    Settings section = scheme == null ? null : sections.get(scheme);
    return section == null ? always : section.over(always);
  }
}
