/** The networks that can be trained, by name. */
package io.github.amb.models.network;
