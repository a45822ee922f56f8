package dev.eventing.sdk.annotation;

import dev.eventing.sdk.projector.ReadModel;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.eventing.sdk.event.SubjectTemplate;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.ProjectorSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;

/** Creates declarations from the annotated methods of a bean. */
final class HandlerReader {

	private final AttributeResolver resolver;

	private final DeclaredAttributes attributes;

	private final HandlerFinder finder;

	private final TransactionRules transactions;

	private final Problems problems;

	private final UncheckedHandlers unchecked;

	HandlerReader(AttributeResolver resolver, HandlerFinder finder, TransactionRules transactions, Problems problems,
			UncheckedHandlers unchecked) {
		this.unchecked = unchecked;
		this.resolver = resolver;
		this.attributes = new DeclaredAttributes(resolver);
		this.finder = finder;
		this.transactions = transactions;
		this.problems = problems;
	}

	/** Returns the valid handlers of the bean. Records the problems of the others. */
	List<HandlerDeclaration> read(HandlerBean bean) {
		List<HandlerDeclaration> declarations = new ArrayList<>();
		String where = "Bean '" + bean.name() + "' (" + bean.targetClass().getName() + ")";
		ProjectorGroup group = this.problems.attempt(where, () -> ProjectorGroup.of(bean, this.resolver));
		if (group == null) {
			return declarations;
		}
		ReadModel readModel = this.problems.attempt(where, () -> readModel(bean, group));
		Map<Method, MergedAnnotation<ProjectorEventHandler>> handlers = this.finder.handlers(bean.targetClass());
		if (handlers.isEmpty()) {
			this.problems.add(where, "it has @Projector but no handler. Consider adding @ProjectorEventHandler to the "
					+ "methods that handle its events, or removing @Projector.");
		}
		this.unchecked.look(handlers.keySet());
		handlers.forEach((method, annotation) -> declarations
			.addAll(read(bean, group, method, annotation, (readModel != null) ? readModel : ReadModel.NONE)));
		return declarations;
	}

	private ReadModel readModel(HandlerBean bean, ProjectorGroup group) {
		List<ReadModel.Reset> resets = new ArrayList<>();
		this.finder.resets(bean.targetClass()).forEach((method) -> resets.add(ResetMethod.of(bean, method)));
		if (!resets.isEmpty() && !group.named()) {
			throw new InvalidHandlerException("it has @ProjectionReset but no @Projector", "adding @Projector");
		}
		return new ReadModel(group.version(), group.tables(), group.script(), resets, group.columns());
	}

	/** Runs every step even if an earlier one fails, to report all problems at once. */
	private List<HandlerDeclaration> read(HandlerBean bean, ProjectorGroup group, Method method,
			MergedAnnotation<ProjectorEventHandler> merged, ReadModel readModel) {
		ProjectorEventHandler annotation = merged.synthesize();
		String description = describe(method, bean.targetClass());
		String where = "Handler " + description + " of bean '" + bean.name() + "'";
		List<HandlerMethod> handlers = handlers(where, description, bean, method, annotation);
		ProjectorGroup own = this.problems.attempt(where, () -> group.of(method, annotation, this.resolver));
		Map<String, Object> said = this.problems.attempt(where, () -> this.attributes.said(merged));
		ProjectorSettings settings = (said != null)
				? this.problems.attempt(where, () -> this.attributes.settings(merged)) : null;
		Map<String, Object> all = (own != null && said != null)
				? this.problems.attempt(where, () -> own.withDurable(said)) : null;
		if (handlers == null || own == null || all == null || settings == null) {
			return List.of();
		}
		return handlers.stream()
			.map((handler) -> new HandlerDeclaration(where, own.name(), own.named(), all, settings, handler, readModel))
			.toList();
	}

	/** One for each of its subjects; null if one of its parts is not valid. */
	private @Nullable List<HandlerMethod> handlers(String where, String description, HandlerBean bean, Method method,
			ProjectorEventHandler annotation) {
		String subject = this.problems.attempt(where, () -> this.resolver.resolve("subject", annotation.subject()));
		HandlerSignature signature = this.problems.attempt(where,
				() -> HandlerSignature.of(method, bean.targetClass()));
		this.problems.check(where, () -> this.transactions.check(method, bean.targetClass()));
		HandledType type = (signature != null)
				? this.problems.attempt(where, () -> HandledType.of(signature.payload(), annotation.eventType()))
				: null;
		BeanInvocation invocation = (signature != null)
				? this.problems.attempt(where, () -> BeanInvocation.of(bean, method, signature)) : null;
		Map<SubjectTemplate, HandledType> subjects = (subject != null)
				? this.problems.attempt(where, () -> HandledSubjects.of(subject, type)) : null;
		if (signature == null || subjects == null || type == null || invocation == null) {
			return null;
		}
		boolean batch = signature.shape() == HandlerSignature.Shape.BATCH;
		return subjects.entrySet()
			.stream()
			.map((each) -> new HandlerMethod(description, each.getKey(), each.getValue().payloadTypes(), batch,
					signature.hasEffects(), invocation))
			.toList();
	}

	/** The class and the method, with its parameters. */
	static String describe(Method method, Class<?> targetClass) {
		List<Type> parameters = HandlerSignature.parameters(method, targetClass);
		return targetClass.getSimpleName() + "." + method.getName()
				+ parameters.stream()
					.map(InvalidHandlerException::shortName)
					.collect(Collectors.joining(", ", "(", ")"));
	}

}
