package io.github.amb.runtime.experiment;

import java.util.List;

/**
 * The order in which an experiment's authors found variants to be.
 *
 * @param of comparison whose measure and best points count
 * @param variants the best one first
 * @param place file and line
 */
record ClaimedOrder(PairedComparison of, List<String> variants, String place) {}
