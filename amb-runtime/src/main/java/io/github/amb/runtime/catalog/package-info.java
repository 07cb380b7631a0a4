/**
 * Commands that explain what the user can name: schemes, codecs, data sets, networks and the like.
 */
package io.github.amb.runtime.catalog;
