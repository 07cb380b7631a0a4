/** Networks and data sets behind amb-core's gradient source. */
package io.github.amb.models;
