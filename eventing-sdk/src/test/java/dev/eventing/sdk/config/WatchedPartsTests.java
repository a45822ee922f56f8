package dev.eventing.sdk.config;

import java.util.List;

import dev.eventing.sdk.worker.Watched;
import org.junit.jupiter.api.Test;

import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

class WatchedPartsTests {

	private static final Watched FIRST = (longest) -> List.of();

	private static final Watched LATER = (longest) -> List.of();

	@Test
	void includesAPartThatWasRegisteredAfterTheFirstLook() {
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			context.registerBean("first", Watched.class, () -> FIRST);
			context.refresh();
			WatchedParts parts = new WatchedParts(context.getBeanProvider(Watched.class));
			assertThat(parts.get()).containsExactly(FIRST);
			context.registerBean("later", Watched.class, () -> LATER);
			assertThat(parts.get()).containsExactlyInAnyOrder(FIRST, LATER);
		}
	}

	@Test
	void keepsThoseItKnowsWhileTheContextDestroysItsBeans() {
		GenericApplicationContext context = new GenericApplicationContext();
		WatchedParts parts = new WatchedParts(context.getDefaultListableBeanFactory().getBeanProvider(Watched.class));
		context.registerBean("first", Watched.class, () -> FIRST);
		context.registerBean("lookingWhileItCloses", AutoCloseable.class,
				() -> () -> assertThat(parts.get()).containsExactly(FIRST));
		context.refresh();
		assertThat(parts.get()).containsExactly(FIRST);
		context.getDefaultListableBeanFactory().destroySingleton("first");
		context.close();
	}

}
