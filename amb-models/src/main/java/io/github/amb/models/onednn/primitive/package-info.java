/** Primitives of oneDNN, their tensors and their memory. It depends on oneDNN alone. */
package io.github.amb.models.onednn.primitive;
