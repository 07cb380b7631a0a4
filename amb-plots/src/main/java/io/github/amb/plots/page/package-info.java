/** What HTML pages share: the script and the style that draw curves in a browser. */
package io.github.amb.plots.page;
