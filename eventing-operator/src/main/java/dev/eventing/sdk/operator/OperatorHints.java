package dev.eventing.sdk.operator;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** A native image's hints for the JSON of dead letters, projectors and erasures. */
public final class OperatorHints implements RuntimeHintsRegistrar {

	private static final Class<?>[] BODIES = { CheckList.class, CheckRequested.class, CheckView.class, DiffView.class,
			DiscardView.class, EditView.class, ErasureChange.class, ErasureView.class, GenerationList.class,
			GenerationView.class, InlineView.class, LagList.class, LetterAudit.class, LetterBody.Discard.class,
			LetterBody.Edit.class, LetterBody.Redrive.class, LetterList.class, LetterView.class, Problem.class,
			ProgressView.class, ProjectionAuditList.class, ProjectionDdl.class, ProjectionList.class,
			ProjectionRequested.class, ProjectionShown.class, ProjectorBody.Adopt.class, ProjectorBody.Backfill.class,
			ProjectorBody.Cancel.class, ProjectorBody.Demote.class, ProjectorBody.Diff.class, ProjectorBody.Pause.class,
			ProjectorBody.Promote.class, ProjectorBody.Rebuild.class, ProjectorBody.Reconcile.class,
			ProjectorBody.Resume.class, ProjectorBody.Retire.class, ProjectorBody.Rollback.class,
			ProjectorBody.Switch.class, ProjectorChanged.class, ProjectorList.class, RedriveResult.class,
			RedriveView.class, RequestView.class, StatsView.class };

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
		new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), BODIES);
	}

}
