/** Commands that explain what the user can name: schemes, update rules, codecs and the like. */
package io.github.amb.runtime.catalog;
