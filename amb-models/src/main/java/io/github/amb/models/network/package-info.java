/** The networks that can be trained, by name, with their layers. */
package io.github.amb.models.network;
