/** What DL4J 1.0.0-M2.1 looks for under its old name, so that its oneDNN helpers load. */
package org.nd4j.nativeblas;
