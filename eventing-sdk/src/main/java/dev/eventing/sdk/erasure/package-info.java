/**
 * Erases what is stored of a stream's contents, in all tables of the SDK and in the read
 * models whose projectors declare it. Begin reading at
 * {@link dev.eventing.sdk.erasure.Erasure}.
 */
@NullMarked
package dev.eventing.sdk.erasure;

import org.jspecify.annotations.NullMarked;
