package dev.eventing.sdk.config;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * The session factories of a context. Hibernate and JPA are optional, so they are asked
 * by reflection. An application with another JPA provider has none here.
 */
final class SessionFactories {

	private static final Logger logger = LoggerFactory.getLogger(SessionFactories.class);

	static final String FACTORY = "jakarta.persistence.EntityManagerFactory";

	static final String SESSIONS = "org.hibernate.engine.spi.SessionFactoryImplementor";

	private final ListableBeanFactory beans;

	private final @Nullable ClassLoader loader;

	/** Creates no bean yet. */
	SessionFactories(ListableBeanFactory beans) {
		this.beans = beans;
		this.loader = ClassUtils.getDefaultClassLoader();
	}

	/** Asks each session factory, and returns the answers that are not null. */
	<T> List<T> ask(Question<T> question) {
		if (!ClassUtils.isPresent(FACTORY, this.loader) || !ClassUtils.isPresent(SESSIONS, this.loader)) {
			return List.of();
		}
		List<T> answers = new ArrayList<>();
		for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beans, type(FACTORY), true,
				false)) {
			T answer = ask(name, question);
			if (answer != null) {
				answers.add(answer);
			}
		}
		return answers;
	}

	private <T> @Nullable T ask(String name, Question<T> question) {
		try {
			Object sessions = type(FACTORY).getMethod("unwrap", Class.class)
				.invoke(this.beans.getBean(name), type(SESSIONS));
			return question.ask(name, sessions);
		}
		catch (ReflectiveOperationException ex) {
			logger.debug("Entity manager factory '{}' is not of Hibernate, or of another version of it.", name, ex);
			return null;
		}
	}

	/** Calls a method without parameters that a class of Hibernate has. */
	@Nullable Object call(String type, String method, Object target) throws ReflectiveOperationException {
		return type(type).getMethod(method).invoke(target);
	}

	private Class<?> type(String name) {
		return ClassUtils.resolveClassName(name, this.loader);
	}

	/** What to ask a session factory. */
	@FunctionalInterface
	interface Question<T> {

		/**
		 * Asks.
		 * @param name the name of the entity manager factory
		 * @param sessions its session factory
		 */
		@Nullable T ask(String name, Object sessions) throws ReflectiveOperationException;

	}

}
