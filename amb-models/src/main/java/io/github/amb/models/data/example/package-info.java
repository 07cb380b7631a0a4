/** How examples are held in memory. */
package io.github.amb.models.data.example;
