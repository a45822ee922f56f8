package dev.eventing.sdk.annotation;

/**
 * A bean that has handlers.
 *
 * @param name its name in the context
 * @param bean the bean as the context hands it out, perhaps a proxy
 * @param targetClass the user's own class behind all proxies
 */
record HandlerBean(String name, Object bean, Class<?> targetClass) {
}
