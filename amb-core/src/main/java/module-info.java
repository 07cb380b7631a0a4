/**
 * Schemes, codecs, update rules and the records of runs. The packages that are exported are for
 * plugins and other programs; the others may change with every version.
 */
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module io.github.amb.core {
  requires transitive com.fasterxml.jackson.annotation;
  requires com.fasterxml.jackson.databind;
  requires com.github.luben.zstd_jni;
  requires transitive org.apache.commons.rng.api;
  requires org.apache.commons.rng.sampling;
  requires org.apache.commons.rng.simple;
  requires org.apache.commons.statistics.distribution;
  requires org.apache.commons.text;
  requires org.lz4.java;

  exports io.github.amb.core.codec;
  exports io.github.amb.core.codec.block;
  exports io.github.amb.core.option;
  exports io.github.amb.core.delay;
  exports io.github.amb.core.engine;
  exports io.github.amb.core.evaluation;
  exports io.github.amb.core.gradient;
  exports io.github.amb.core.plugin;
  exports io.github.amb.core.random;
  exports io.github.amb.core.record;
  exports io.github.amb.core.file;
  exports io.github.amb.core.schedule;
  exports io.github.amb.core.scheme;
  exports io.github.amb.core.scheme.context;
  exports io.github.amb.core.state;
  exports io.github.amb.core.topology;
  exports io.github.amb.core.update;

  // For the other modules of this program.
  exports io.github.amb.core.sim to
      io.github.amb.plots;
  exports io.github.amb.core.statistic to
      io.github.amb.plots;
  exports io.github.amb.core.thread to
      io.github.amb.plots;

  uses io.github.amb.core.plugin.Plugin;

  provides io.github.amb.core.plugin.Plugin with
      io.github.amb.core.codec.Codecs,
      io.github.amb.core.delay.DelayModels,
      io.github.amb.core.schedule.Schedules,
      io.github.amb.core.scheme.Schemes,
      io.github.amb.core.update.UpdateRules;
}
