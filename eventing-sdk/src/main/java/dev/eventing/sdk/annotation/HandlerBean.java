package dev.eventing.sdk.annotation;

/**
 * A bean that has handlers.
 *
 * @param name its name in the context
 * @param bean the bean that the context returns, which may be a proxy
 * @param targetClass the user's class, without proxies
 */
record HandlerBean(String name, Object bean, Class<?> targetClass) {
}
