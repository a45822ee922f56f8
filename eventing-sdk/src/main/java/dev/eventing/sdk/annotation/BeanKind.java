package dev.eventing.sdk.annotation;

/**
 * A kind of beans that the SDK looks for in its context.
 *
 * @param words what the log says of such a bean, such as {@code is a live view}
 * @param forTheSdkAlone whether such a bean does nothing unless the SDK finds it. If not,
 * code of the application may use it, too.
 */
public record BeanKind(String words, boolean forTheSdkAlone) {
}
