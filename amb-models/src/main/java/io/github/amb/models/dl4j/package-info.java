/** DL4J's networks: reading saved ones, first weights, and gradients of any layer. */
package io.github.amb.models.dl4j;
