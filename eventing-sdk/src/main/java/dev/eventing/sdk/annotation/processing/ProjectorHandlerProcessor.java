package dev.eventing.sdk.annotation.processing;

import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashSet;
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
import javax.tools.StandardLocation;

/**
 * Reports handlers that the start-up would reject as compiler errors, at the method or
 * the subject. It does not check placeholders and composed annotations: only the start-up
 * checks these.
 *
 * <p>
 * Compilers up to JDK 22 find it on the class path. Later compilers run it only if
 * annotation processing is requested, for example by {@code -proc:full} or a processor
 * path, and any compiler with a processor path only if it stands there, too. It has no
 * options and claims no annotation. For each class with handlers it generates an empty
 * resource, {@value #CHECKED} and the name of the class, by which a start knows whether
 * it ran.
 */
public class ProjectorHandlerProcessor extends AbstractProcessor {

	/** The folder of the resources, with the prefix of their names. */
	public static final String CHECKED = "META-INF/eventing/checked-handlers/";

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
		Set<TypeElement> types = new LinkedHashSet<>();
		for (TypeElement annotation : annotations) {
			round.getElementsAnnotatedWith(annotation).forEach((element) -> {
				check(element);
				if (element.getEnclosingElement() instanceof TypeElement type) {
					types.add(type);
				}
			});
		}
		types.forEach(this::note);
		return false;
	}

	/** A start only asks whether it is there, so a failure to write it is no problem. */
	private void note(TypeElement type) {
		String name = CHECKED + this.processingEnv.getElementUtils().getBinaryName(type);
		try (OutputStream resource = this.processingEnv.getFiler()
			.createResource(StandardLocation.CLASS_OUTPUT, "", name, type)
			.openOutputStream()) {
			resource.flush();
		}
		catch (IOException | RuntimeException ex) {
			this.processingEnv.getMessager()
				.printMessage(Diagnostic.Kind.OTHER, "'" + name + "' cannot be written: " + ex);
		}
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
