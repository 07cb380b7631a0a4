/** TensorFlow's gradients of our networks, for comparisons of speed. */
package io.github.amb.peers.tensorflow;
