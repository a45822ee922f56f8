package dev.eventing.sdk.annotation.processing;

import java.util.Set;

import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;

/**
 * Reports handlers that the start-up would reject as compiler errors, at the method or
 * the subject. It does not check placeholders and composed annotations: only the start-up
 * checks these.
 *
 * <p>
 * Compilers up to JDK 22 find it on the class path. Later compilers run it only if
 * annotation processing is requested, for example by {@code -proc:full} or a processor
 * path. It has no options, claims no annotation and generates nothing.
 */
public class ProjectorHandlerProcessor extends AbstractProcessor {

	private static final String ANNOTATION = "dev.eventing.sdk.annotation.ProjectorEventHandler";

	@Override
	public Set<String> getSupportedAnnotationTypes() {
		return Set.of(ANNOTATION);
	}

	/** Supports every language level, because it reads only declarations. */
	@Override
	public SourceVersion getSupportedSourceVersion() {
		return SourceVersion.latest();
	}

	@Override
	public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
		for (TypeElement annotation : annotations) {
			round.getElementsAnnotatedWith(annotation).forEach(this::check);
		}
		return false;
	}

	private void check(Element element) {
		element.getAnnotationMirrors().stream().filter(ProjectorHandlerProcessor::isOurs).forEach((annotation) -> {
			AnnotationAttributes attributes = new AnnotationAttributes(annotation);
			SubjectCheck.problem(attributes.text("subject"))
				.ifPresent((problem) -> this.processingEnv.getMessager()
					.printMessage(Diagnostic.Kind.ERROR, problem, element, annotation, attributes.value("subject")));
			if (element.getKind() == ElementKind.METHOD) {
				new HandlerCheck(this.processingEnv.getTypeUtils(), this.processingEnv.getElementUtils())
					.problems((ExecutableElement) element, attributes)
					.forEach((problem) -> this.processingEnv.getMessager()
						.printMessage(Diagnostic.Kind.ERROR, problem, element));
			}
		});
	}

	private static boolean isOurs(AnnotationMirror annotation) {
		return ((TypeElement) annotation.getAnnotationType().asElement()).getQualifiedName().contentEquals(ANNOTATION);
	}

}
