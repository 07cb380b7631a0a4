package xdev;

/** What carries messages. */
public interface Device {}
