/**
 * What HTML pages share: the script and the style that draw curves in a browser, and the curves as
 * JSON.
 */
package io.github.amb.plots.page;
