package dev.eventing.sdk.operator;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** A native image's hints for the JSON of dead letters, projectors and erasures. */
public final class OperatorHints implements RuntimeHintsRegistrar {

	private static final Class<?>[] BODIES = { Change.class, CheckList.class, CheckRequested.class, CheckView.class,
			DiffView.class, DiscardView.class, EditView.class, ErasureChange.class, ErasureView.class,
			GenerationList.class, GenerationView.class, InlineView.class, LagList.class, LetterAudit.class,
			LetterList.class, LetterView.class, Problem.class, ProgressView.class, ProjectionAuditList.class,
			ProjectionDdl.class, ProjectionList.class, ProjectionRequested.class, ProjectionShown.class,
			ProjectorChanged.class, ProjectorList.class, RedriveResult.class, RedriveView.class, RequestView.class,
			StatsView.class };

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
		new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), BODIES);
	}

}
