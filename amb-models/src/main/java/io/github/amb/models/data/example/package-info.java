/** What a data set is: examples, their shapes and labels, in memory and in the cache. */
package io.github.amb.models.data.example;
