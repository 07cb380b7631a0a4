/** Data sets: reading, generating, checking and fetching labelled examples. */
package io.github.amb.models.data;
