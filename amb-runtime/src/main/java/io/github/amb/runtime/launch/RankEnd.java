package io.github.amb.runtime.launch;

/**
 * What the ended process of a rank has left.
 *
 * @param name rank, process and host
 * @param exitCode 128 + n if signal n killed it
 * @param lastLine the most telling line of its log; empty if there is none
 * @param crash the line that says how native code crashed; empty if it did not
 * @param crashReport name of Java's file about the crash; empty if it is on another host
 * @param memory whether memory ran out on its host
 */
record RankEnd(
    String name, int exitCode, String lastLine, String crash, String crashReport, boolean memory) {}
