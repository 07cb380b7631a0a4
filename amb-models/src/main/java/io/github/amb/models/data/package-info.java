/** Data sets: reading, generating, checking and fetching labeled examples. */
package io.github.amb.models.data;
