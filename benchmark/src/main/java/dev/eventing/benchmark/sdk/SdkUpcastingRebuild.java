package dev.eventing.benchmark.sdk;

import java.sql.SQLException;

import dev.eventing.benchmark.contender.LaterAccountChanged;
import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.contender.RebuildContender;
import dev.eventing.benchmark.contender.Side;

/**
 * The same as {@link SdkRebuild} with deferred writes, where the class of the event is
 * the third version of its type, and all events are of this version. The upcasters of
 * both versions before are there, and have nothing to do.
 */
public record SdkUpcastingRebuild() implements RebuildContender {

	@Override
	public String id() {
		return "sdk-rebuild-deferred-upcasters";
	}

	@Override
	public String title() {
		return "SDK: the same with upcasters that no event needs";
	}

	@Override
	public Side side() {
		return Side.SDK;
	}

	@Override
	public int version() {
		return LaterAccountChanged.VERSION;
	}

	@Override
	public Rebuild prepare(ProjectorRound round) throws SQLException {
		return SdkRebuild.prepare(round, (context) -> {
			context.registerBean(LaterUpsertHandler.class);
			for (int version = 1; version < LaterAccountChanged.VERSION; version++) {
				int from = version;
				context.registerBean("upcaster" + from, UnneededUpcaster.class, () -> new UnneededUpcaster(from));
			}
		});
	}

}
