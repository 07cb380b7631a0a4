/** Data sets by name, and the user's own: reading, generating, checking and fetching. */
package io.github.amb.models.data;
