/** YAML whose keys are known, with the place of each value. */
package io.github.amb.runtime.experiment.yaml;
