/** A user's own data: folders of images, and CSV and NPZ files. */
package io.github.amb.models.data.user;
